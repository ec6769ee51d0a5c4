(define (domain level_fire_and_ice_first-domain)
 (:requirements :strips :typing :negative-preconditions :conditional-effects)
 (:types location direction)
 (:constants
   c_0_0 c_0_1 c_0_2 c_0_3 - location
   right left - direction
 )
 (:predicates
             (ice ?l0 - location)
             (fire ?l0 - location)
             (player ?l0 - location ?d1 - direction)
             (ready)
             (lost)
             (step_1)
             (input_right)
             (input_left)
             (input_magic)
             (step_2)
             (pushed ?l0 - location)
             (moved_2)
             (step_3)
             (step_4)
             (step_5)
             (moved_5)
             (step_6)
             (step_7)
             (step_8)
             (player_comes ?l0 - location ?d1 - direction)
             (player_goes ?l0 - location ?d1 - direction)
             (step_9)
 )
 (:action right_2
  :parameters ()
  :precondition (and (ready) (not (lost)))
  :effect (and (not (ready)) (step_1) (input_right)))
 (:action left_2
  :parameters ()
  :precondition (and (ready) (not (lost)))
  :effect (and (not (ready)) (step_1) (input_left)))
 (:action magic
  :parameters ()
  :precondition (and (ready) (not (lost)))
  :effect (and (not (ready)) (step_1) (input_magic)))
 (:action act_right
  :parameters ()
  :precondition (and (step_1) (input_right))
  :effect (and (step_8) (not (step_1)) (when (and (ice c_0_1) (not (ice c_0_2)) (player c_0_0 left) (not (player c_0_2 left)) (not (player c_0_2 right))) (not (player c_0_0 left))) (when (and (ice c_0_1) (not (ice c_0_2)) (player c_0_0 left) (not (player c_0_2 left)) (not (player c_0_2 right))) (player_comes c_0_0 right)) (when (and (ice c_0_1) (not (ice c_0_2)) (player c_0_0 left) (not (player c_0_2 left)) (not (player c_0_2 right))) (pushed c_0_1)) (when (and (ice c_0_2) (not (ice c_0_3)) (player c_0_1 left) (not (player c_0_3 left)) (not (player c_0_3 right))) (not (player c_0_1 left))) (when (and (ice c_0_2) (not (ice c_0_3)) (player c_0_1 left) (not (player c_0_3 left)) (not (player c_0_3 right))) (player_comes c_0_1 right)) (when (and (ice c_0_2) (not (ice c_0_3)) (player c_0_1 left) (not (player c_0_3 left)) (not (player c_0_3 right))) (pushed c_0_2)) (when (and (ice c_0_3) (player c_0_2 left)) (not (player c_0_2 left))) (when (and (ice c_0_3) (player c_0_2 left)) (player_comes c_0_2 right)) (when (and (ice c_0_3) (player c_0_2 left)) (pushed c_0_3)) (when (and (not (ice c_0_1)) (player c_0_0 left) (not (player c_0_1 left)) (not (player c_0_1 right))) (not (player c_0_0 left))) (when (and (not (ice c_0_1)) (player c_0_0 left) (not (player c_0_1 left)) (not (player c_0_1 right))) (player_comes c_0_1 right)) (when (and (not (ice c_0_2)) (player c_0_1 left) (not (player c_0_2 left)) (not (player c_0_2 right))) (not (player c_0_1 left))) (when (and (not (ice c_0_2)) (player c_0_1 left) (not (player c_0_2 left)) (not (player c_0_2 right))) (player_comes c_0_2 right)) (when (and (not (ice c_0_3)) (not (fire c_0_3)) (player c_0_2 left) (not (player c_0_3 left)) (not (player c_0_3 right))) (not (player c_0_2 left))) (when (and (not (ice c_0_3)) (not (fire c_0_3)) (player c_0_2 left) (not (player c_0_3 left)) (not (player c_0_3 right))) (player c_0_3 right)) (when (and (ice c_0_1) (ice c_0_2) (player c_0_0 left)) (not (player c_0_0 left))) (when (and (ice c_0_1) (ice c_0_2) (player c_0_0 left)) (player_comes c_0_0 right)) (when (and (ice c_0_1) (player c_0_0 left) (player c_0_2 left)) (not (player c_0_0 left))) (when (and (ice c_0_1) (player c_0_0 left) (player c_0_2 left)) (player_comes c_0_0 right)) (when (and (ice c_0_1) (player c_0_0 left) (player c_0_2 right)) (not (player c_0_0 left))) (when (and (ice c_0_1) (player c_0_0 left) (player c_0_2 right)) (player_comes c_0_0 right)) (when (and (player c_0_0 left) (player c_0_1 left)) (not (player c_0_0 left))) (when (and (player c_0_0 left) (player c_0_1 left)) (player_comes c_0_0 right)) (when (and (player c_0_0 left) (player c_0_1 right)) (not (player c_0_0 left))) (when (and (player c_0_0 left) (player c_0_1 right)) (player_comes c_0_0 right)) (when (and (ice c_0_2) (ice c_0_3) (player c_0_1 left)) (not (player c_0_1 left))) (when (and (ice c_0_2) (ice c_0_3) (player c_0_1 left)) (player_comes c_0_1 right)) (when (and (ice c_0_2) (player c_0_1 left) (player c_0_3 left)) (not (player c_0_1 left))) (when (and (ice c_0_2) (player c_0_1 left) (player c_0_3 left)) (player_comes c_0_1 right)) (when (and (ice c_0_2) (player c_0_1 left) (player c_0_3 right)) (not (player c_0_1 left))) (when (and (ice c_0_2) (player c_0_1 left) (player c_0_3 right)) (player_comes c_0_1 right)) (when (and (player c_0_1 left) (player c_0_2 left)) (not (player c_0_1 left))) (when (and (player c_0_1 left) (player c_0_2 left)) (player_comes c_0_1 right)) (when (and (player c_0_1 left) (player c_0_2 right)) (not (player c_0_1 left))) (when (and (player c_0_1 left) (player c_0_2 right)) (player_comes c_0_1 right)) (when (and (fire c_0_3) (player c_0_2 left)) (not (player c_0_2 left))) (when (and (fire c_0_3) (player c_0_2 left)) (player_comes c_0_2 right)) (when (and (player c_0_2 left) (player c_0_3 left)) (not (player c_0_2 left))) (when (and (player c_0_2 left) (player c_0_3 left)) (player_comes c_0_2 right)) (when (and (player c_0_2 left) (player c_0_3 right)) (not (player c_0_2 left))) (when (and (player c_0_2 left) (player c_0_3 right)) (player_comes c_0_2 right)) (when (player c_0_3 left) (not (player c_0_3 left))) (when (player c_0_3 left) (player c_0_3 right)) (when (and (ice c_0_1) (not (ice c_0_2)) (not (player c_0_2 left)) (player c_0_0 right) (not (player c_0_2 right))) (player_goes c_0_0 right)) (when (and (ice c_0_1) (not (ice c_0_2)) (not (player c_0_2 left)) (player c_0_0 right) (not (player c_0_2 right))) (player_comes c_0_0 right)) (when (and (ice c_0_1) (not (ice c_0_2)) (not (player c_0_2 left)) (player c_0_0 right) (not (player c_0_2 right))) (pushed c_0_1)) (when (and (ice c_0_2) (not (ice c_0_3)) (not (player c_0_3 left)) (player c_0_1 right) (not (player c_0_3 right))) (player_goes c_0_1 right)) (when (and (ice c_0_2) (not (ice c_0_3)) (not (player c_0_3 left)) (player c_0_1 right) (not (player c_0_3 right))) (player_comes c_0_1 right)) (when (and (ice c_0_2) (not (ice c_0_3)) (not (player c_0_3 left)) (player c_0_1 right) (not (player c_0_3 right))) (pushed c_0_2)) (when (and (ice c_0_3) (player c_0_2 right)) (player_goes c_0_2 right)) (when (and (ice c_0_3) (player c_0_2 right)) (player_comes c_0_2 right)) (when (and (ice c_0_3) (player c_0_2 right)) (pushed c_0_3)) (when (and (not (ice c_0_1)) (not (player c_0_1 left)) (player c_0_0 right) (not (player c_0_1 right))) (player_goes c_0_0 right)) (when (and (not (ice c_0_1)) (not (player c_0_1 left)) (player c_0_0 right) (not (player c_0_1 right))) (player_comes c_0_1 right)) (when (and (not (ice c_0_2)) (not (player c_0_2 left)) (player c_0_1 right) (not (player c_0_2 right))) (player_goes c_0_1 right)) (when (and (not (ice c_0_2)) (not (player c_0_2 left)) (player c_0_1 right) (not (player c_0_2 right))) (player_comes c_0_2 right)) (when (and (not (ice c_0_3)) (not (fire c_0_3)) (not (player c_0_3 left)) (player c_0_2 right) (not (player c_0_3 right))) (player_goes c_0_2 right)) (when (and (not (ice c_0_3)) (not (fire c_0_3)) (not (player c_0_3 left)) (player c_0_2 right) (not (player c_0_3 right))) (player c_0_3 right)) (when (and (ice c_0_1) (ice c_0_2) (player c_0_0 right)) (player_goes c_0_0 right)) (when (and (ice c_0_1) (ice c_0_2) (player c_0_0 right)) (player_comes c_0_0 right)) (when (and (ice c_0_1) (player c_0_2 left) (player c_0_0 right)) (player_goes c_0_0 right)) (when (and (ice c_0_1) (player c_0_2 left) (player c_0_0 right)) (player_comes c_0_0 right)) (when (and (ice c_0_1) (player c_0_0 right) (player c_0_2 right)) (player_goes c_0_0 right)) (when (and (ice c_0_1) (player c_0_0 right) (player c_0_2 right)) (player_comes c_0_0 right)) (when (and (player c_0_1 left) (player c_0_0 right)) (player_goes c_0_0 right)) (when (and (player c_0_1 left) (player c_0_0 right)) (player_comes c_0_0 right)) (when (and (player c_0_0 right) (player c_0_1 right)) (player_goes c_0_0 right)) (when (and (player c_0_0 right) (player c_0_1 right)) (player_comes c_0_0 right)) (when (and (ice c_0_2) (ice c_0_3) (player c_0_1 right)) (player_goes c_0_1 right)) (when (and (ice c_0_2) (ice c_0_3) (player c_0_1 right)) (player_comes c_0_1 right)) (when (and (ice c_0_2) (player c_0_3 left) (player c_0_1 right)) (player_goes c_0_1 right)) (when (and (ice c_0_2) (player c_0_3 left) (player c_0_1 right)) (player_comes c_0_1 right)) (when (and (ice c_0_2) (player c_0_1 right) (player c_0_3 right)) (player_goes c_0_1 right)) (when (and (ice c_0_2) (player c_0_1 right) (player c_0_3 right)) (player_comes c_0_1 right)) (when (and (player c_0_2 left) (player c_0_1 right)) (player_goes c_0_1 right)) (when (and (player c_0_2 left) (player c_0_1 right)) (player_comes c_0_1 right)) (when (and (player c_0_1 right) (player c_0_2 right)) (player_goes c_0_1 right)) (when (and (player c_0_1 right) (player c_0_2 right)) (player_comes c_0_1 right)) (when (and (fire c_0_3) (player c_0_2 right)) (player_goes c_0_2 right)) (when (and (fire c_0_3) (player c_0_2 right)) (player_comes c_0_2 right)) (when (and (player c_0_3 left) (player c_0_2 right)) (player_goes c_0_2 right)) (when (and (player c_0_3 left) (player c_0_2 right)) (player_comes c_0_2 right)) (when (and (player c_0_2 right) (player c_0_3 right)) (player_goes c_0_2 right)) (when (and (player c_0_2 right) (player c_0_3 right)) (player_comes c_0_2 right)) (when (player c_0_3 right) (not (player c_0_3 right))) (when (player c_0_3 right) (player c_0_3 right))))
 (:action act_right_then
  :parameters ()
  :precondition (and (step_8))
  :effect (and (not (step_8)) (step_2) (when (player_comes c_0_0 right) (player c_0_0 right)) (when (and (player_goes c_0_0 right) (not (player_comes c_0_0 right))) (not (player c_0_0 right))) (not (player_comes c_0_0 right)) (not (player_goes c_0_0 right)) (when (player_comes c_0_1 right) (player c_0_1 right)) (when (and (player_goes c_0_1 right) (not (player_comes c_0_1 right))) (not (player c_0_1 right))) (not (player_comes c_0_1 right)) (not (player_goes c_0_1 right)) (when (player_comes c_0_2 right) (player c_0_2 right)) (when (and (player_goes c_0_2 right) (not (player_comes c_0_2 right))) (not (player c_0_2 right))) (not (player_comes c_0_2 right)) (not (player_goes c_0_2 right))))
 (:action act_left
  :parameters ()
  :precondition (and (step_1) (input_left))
  :effect (and (step_9) (not (step_1)) (when (and (ice c_0_0) (player c_0_1 left)) (player_goes c_0_1 left)) (when (and (ice c_0_0) (player c_0_1 left)) (player_comes c_0_1 left)) (when (and (ice c_0_0) (player c_0_1 left)) (pushed c_0_0)) (when (and (not (ice c_0_0)) (ice c_0_1) (not (player c_0_0 left)) (player c_0_2 left) (not (player c_0_0 right))) (player_goes c_0_2 left)) (when (and (not (ice c_0_0)) (ice c_0_1) (not (player c_0_0 left)) (player c_0_2 left) (not (player c_0_0 right))) (player_comes c_0_2 left)) (when (and (not (ice c_0_0)) (ice c_0_1) (not (player c_0_0 left)) (player c_0_2 left) (not (player c_0_0 right))) (pushed c_0_1)) (when (and (not (ice c_0_1)) (ice c_0_2) (not (player c_0_1 left)) (player c_0_3 left) (not (player c_0_1 right))) (player_goes c_0_3 left)) (when (and (not (ice c_0_1)) (ice c_0_2) (not (player c_0_1 left)) (player c_0_3 left) (not (player c_0_1 right))) (player_comes c_0_3 left)) (when (and (not (ice c_0_1)) (ice c_0_2) (not (player c_0_1 left)) (player c_0_3 left) (not (player c_0_1 right))) (pushed c_0_2)) (when (and (not (ice c_0_0)) (not (player c_0_0 left)) (player c_0_1 left) (not (player c_0_0 right))) (player_goes c_0_1 left)) (when (and (not (ice c_0_0)) (not (player c_0_0 left)) (player c_0_1 left) (not (player c_0_0 right))) (player c_0_0 left)) (when (and (not (ice c_0_1)) (not (player c_0_1 left)) (player c_0_2 left) (not (player c_0_1 right))) (player_goes c_0_2 left)) (when (and (not (ice c_0_1)) (not (player c_0_1 left)) (player c_0_2 left) (not (player c_0_1 right))) (player_comes c_0_1 left)) (when (and (not (ice c_0_2)) (not (player c_0_2 left)) (player c_0_3 left) (not (player c_0_2 right))) (player_goes c_0_3 left)) (when (and (not (ice c_0_2)) (not (player c_0_2 left)) (player c_0_3 left) (not (player c_0_2 right))) (player_comes c_0_2 left)) (when (player c_0_0 left) (not (player c_0_0 left))) (when (player c_0_0 left) (player c_0_0 left)) (when (and (player c_0_0 left) (player c_0_1 left)) (player_goes c_0_1 left)) (when (and (player c_0_0 left) (player c_0_1 left)) (player_comes c_0_1 left)) (when (and (player c_0_1 left) (player c_0_0 right)) (player_goes c_0_1 left)) (when (and (player c_0_1 left) (player c_0_0 right)) (player_comes c_0_1 left)) (when (and (ice c_0_0) (ice c_0_1) (player c_0_2 left)) (player_goes c_0_2 left)) (when (and (ice c_0_0) (ice c_0_1) (player c_0_2 left)) (player_comes c_0_2 left)) (when (and (ice c_0_1) (player c_0_0 left) (player c_0_2 left)) (player_goes c_0_2 left)) (when (and (ice c_0_1) (player c_0_0 left) (player c_0_2 left)) (player_comes c_0_2 left)) (when (and (ice c_0_1) (player c_0_2 left) (player c_0_0 right)) (player_goes c_0_2 left)) (when (and (ice c_0_1) (player c_0_2 left) (player c_0_0 right)) (player_comes c_0_2 left)) (when (and (player c_0_1 left) (player c_0_2 left)) (player_goes c_0_2 left)) (when (and (player c_0_1 left) (player c_0_2 left)) (player_comes c_0_2 left)) (when (and (player c_0_2 left) (player c_0_1 right)) (player_goes c_0_2 left)) (when (and (player c_0_2 left) (player c_0_1 right)) (player_comes c_0_2 left)) (when (and (ice c_0_1) (ice c_0_2) (player c_0_3 left)) (player_goes c_0_3 left)) (when (and (ice c_0_1) (ice c_0_2) (player c_0_3 left)) (player_comes c_0_3 left)) (when (and (ice c_0_2) (player c_0_1 left) (player c_0_3 left)) (player_goes c_0_3 left)) (when (and (ice c_0_2) (player c_0_1 left) (player c_0_3 left)) (player_comes c_0_3 left)) (when (and (ice c_0_2) (player c_0_3 left) (player c_0_1 right)) (player_goes c_0_3 left)) (when (and (ice c_0_2) (player c_0_3 left) (player c_0_1 right)) (player_comes c_0_3 left)) (when (and (player c_0_2 left) (player c_0_3 left)) (player_goes c_0_3 left)) (when (and (player c_0_2 left) (player c_0_3 left)) (player_comes c_0_3 left)) (when (and (player c_0_3 left) (player c_0_2 right)) (player_goes c_0_3 left)) (when (and (player c_0_3 left) (player c_0_2 right)) (player_comes c_0_3 left)) (when (and (ice c_0_0) (player c_0_1 right)) (not (player c_0_1 right))) (when (and (ice c_0_0) (player c_0_1 right)) (player_comes c_0_1 left)) (when (and (ice c_0_0) (player c_0_1 right)) (pushed c_0_0)) (when (and (not (ice c_0_0)) (ice c_0_1) (not (player c_0_0 left)) (not (player c_0_0 right)) (player c_0_2 right)) (not (player c_0_2 right))) (when (and (not (ice c_0_0)) (ice c_0_1) (not (player c_0_0 left)) (not (player c_0_0 right)) (player c_0_2 right)) (player_comes c_0_2 left)) (when (and (not (ice c_0_0)) (ice c_0_1) (not (player c_0_0 left)) (not (player c_0_0 right)) (player c_0_2 right)) (pushed c_0_1)) (when (and (not (ice c_0_1)) (ice c_0_2) (not (player c_0_1 left)) (not (player c_0_1 right)) (player c_0_3 right)) (not (player c_0_3 right))) (when (and (not (ice c_0_1)) (ice c_0_2) (not (player c_0_1 left)) (not (player c_0_1 right)) (player c_0_3 right)) (player_comes c_0_3 left)) (when (and (not (ice c_0_1)) (ice c_0_2) (not (player c_0_1 left)) (not (player c_0_1 right)) (player c_0_3 right)) (pushed c_0_2)) (when (and (not (ice c_0_0)) (not (player c_0_0 left)) (not (player c_0_0 right)) (player c_0_1 right)) (not (player c_0_1 right))) (when (and (not (ice c_0_0)) (not (player c_0_0 left)) (not (player c_0_0 right)) (player c_0_1 right)) (player c_0_0 left)) (when (and (not (ice c_0_1)) (not (player c_0_1 left)) (not (player c_0_1 right)) (player c_0_2 right)) (not (player c_0_2 right))) (when (and (not (ice c_0_1)) (not (player c_0_1 left)) (not (player c_0_1 right)) (player c_0_2 right)) (player_comes c_0_1 left)) (when (and (not (ice c_0_2)) (not (player c_0_2 left)) (not (player c_0_2 right)) (player c_0_3 right)) (not (player c_0_3 right))) (when (and (not (ice c_0_2)) (not (player c_0_2 left)) (not (player c_0_2 right)) (player c_0_3 right)) (player_comes c_0_2 left)) (when (player c_0_0 right) (not (player c_0_0 right))) (when (player c_0_0 right) (player c_0_0 left)) (when (and (player c_0_0 left) (player c_0_1 right)) (not (player c_0_1 right))) (when (and (player c_0_0 left) (player c_0_1 right)) (player_comes c_0_1 left)) (when (and (player c_0_0 right) (player c_0_1 right)) (not (player c_0_1 right))) (when (and (player c_0_0 right) (player c_0_1 right)) (player_comes c_0_1 left)) (when (and (ice c_0_0) (ice c_0_1) (player c_0_2 right)) (not (player c_0_2 right))) (when (and (ice c_0_0) (ice c_0_1) (player c_0_2 right)) (player_comes c_0_2 left)) (when (and (ice c_0_1) (player c_0_0 left) (player c_0_2 right)) (not (player c_0_2 right))) (when (and (ice c_0_1) (player c_0_0 left) (player c_0_2 right)) (player_comes c_0_2 left)) (when (and (ice c_0_1) (player c_0_0 right) (player c_0_2 right)) (not (player c_0_2 right))) (when (and (ice c_0_1) (player c_0_0 right) (player c_0_2 right)) (player_comes c_0_2 left)) (when (and (player c_0_1 left) (player c_0_2 right)) (not (player c_0_2 right))) (when (and (player c_0_1 left) (player c_0_2 right)) (player_comes c_0_2 left)) (when (and (player c_0_1 right) (player c_0_2 right)) (not (player c_0_2 right))) (when (and (player c_0_1 right) (player c_0_2 right)) (player_comes c_0_2 left)) (when (and (ice c_0_1) (ice c_0_2) (player c_0_3 right)) (not (player c_0_3 right))) (when (and (ice c_0_1) (ice c_0_2) (player c_0_3 right)) (player_comes c_0_3 left)) (when (and (ice c_0_2) (player c_0_1 left) (player c_0_3 right)) (not (player c_0_3 right))) (when (and (ice c_0_2) (player c_0_1 left) (player c_0_3 right)) (player_comes c_0_3 left)) (when (and (ice c_0_2) (player c_0_1 right) (player c_0_3 right)) (not (player c_0_3 right))) (when (and (ice c_0_2) (player c_0_1 right) (player c_0_3 right)) (player_comes c_0_3 left)) (when (and (player c_0_2 left) (player c_0_3 right)) (not (player c_0_3 right))) (when (and (player c_0_2 left) (player c_0_3 right)) (player_comes c_0_3 left)) (when (and (player c_0_2 right) (player c_0_3 right)) (not (player c_0_3 right))) (when (and (player c_0_2 right) (player c_0_3 right)) (player_comes c_0_3 left))))
 (:action act_left_then
  :parameters ()
  :precondition (and (step_9))
  :effect (and (not (step_9)) (step_2) (when (player_comes c_0_1 left) (player c_0_1 left)) (when (and (player_goes c_0_1 left) (not (player_comes c_0_1 left))) (not (player c_0_1 left))) (not (player_comes c_0_1 left)) (not (player_goes c_0_1 left)) (when (player_comes c_0_2 left) (player c_0_2 left)) (when (and (player_goes c_0_2 left) (not (player_comes c_0_2 left))) (not (player c_0_2 left))) (not (player_comes c_0_2 left)) (not (player_goes c_0_2 left)) (when (player_comes c_0_3 left) (player c_0_3 left)) (when (and (player_goes c_0_3 left) (not (player_comes c_0_3 left))) (not (player c_0_3 left))) (not (player_comes c_0_3 left)) (not (player_goes c_0_3 left))))
 (:action act_magic
  :parameters ()
  :precondition (and (step_1) (input_magic))
  :effect (and (not (step_1)) (step_2)))
 (:action slide_right
  :parameters ()
  :precondition (and (step_2) (input_right))
  :effect (and (not (step_2)) (step_3) (when (and (ice c_0_0) (not (ice c_0_1)) (not (player c_0_1 left)) (not (player c_0_1 right)) (pushed c_0_0)) (not (ice c_0_0))) (when (and (ice c_0_0) (not (ice c_0_1)) (not (player c_0_1 left)) (not (player c_0_1 right)) (pushed c_0_0)) (ice c_0_1)) (when (and (ice c_0_0) (not (ice c_0_1)) (not (player c_0_1 left)) (not (player c_0_1 right)) (pushed c_0_0)) (moved_2)) (when (and (ice c_0_0) (not (ice c_0_1)) (not (player c_0_1 left)) (not (player c_0_1 right)) (pushed c_0_0)) (not (pushed c_0_0))) (when (and (ice c_0_0) (not (ice c_0_1)) (not (player c_0_1 left)) (not (player c_0_1 right)) (pushed c_0_0)) (pushed c_0_1)) (when (and (ice c_0_1) (not (ice c_0_2)) (not (player c_0_2 left)) (not (player c_0_2 right)) (pushed c_0_1)) (not (ice c_0_1))) (when (and (ice c_0_1) (not (ice c_0_2)) (not (player c_0_2 left)) (not (player c_0_2 right)) (pushed c_0_1)) (ice c_0_2)) (when (and (ice c_0_1) (not (ice c_0_2)) (not (player c_0_2 left)) (not (player c_0_2 right)) (pushed c_0_1)) (moved_2)) (when (and (ice c_0_1) (not (ice c_0_2)) (not (player c_0_2 left)) (not (player c_0_2 right)) (pushed c_0_1)) (not (pushed c_0_1))) (when (and (ice c_0_1) (not (ice c_0_2)) (not (player c_0_2 left)) (not (player c_0_2 right)) (pushed c_0_1)) (pushed c_0_2)) (when (and (ice c_0_2) (not (ice c_0_3)) (not (fire c_0_3)) (not (player c_0_3 left)) (not (player c_0_3 right)) (pushed c_0_2)) (not (ice c_0_2))) (when (and (ice c_0_2) (not (ice c_0_3)) (not (fire c_0_3)) (not (player c_0_3 left)) (not (player c_0_3 right)) (pushed c_0_2)) (ice c_0_3)) (when (and (ice c_0_2) (not (ice c_0_3)) (not (fire c_0_3)) (not (player c_0_3 left)) (not (player c_0_3 right)) (pushed c_0_2)) (moved_2)) (when (and (ice c_0_2) (not (ice c_0_3)) (not (fire c_0_3)) (not (player c_0_3 left)) (not (player c_0_3 right)) (pushed c_0_2)) (not (pushed c_0_2))) (when (and (ice c_0_2) (not (ice c_0_3)) (not (fire c_0_3)) (not (player c_0_3 left)) (not (player c_0_3 right)) (pushed c_0_2)) (pushed c_0_3))))
 (:action slide_left
  :parameters ()
  :precondition (and (step_2) (input_left))
  :effect (and (not (step_2)) (step_3) (when (and (not (ice c_0_0)) (ice c_0_1) (not (player c_0_0 left)) (not (player c_0_0 right)) (pushed c_0_1)) (not (ice c_0_1))) (when (and (not (ice c_0_0)) (ice c_0_1) (not (player c_0_0 left)) (not (player c_0_0 right)) (pushed c_0_1)) (ice c_0_0)) (when (and (not (ice c_0_0)) (ice c_0_1) (not (player c_0_0 left)) (not (player c_0_0 right)) (pushed c_0_1)) (moved_2)) (when (and (not (ice c_0_0)) (ice c_0_1) (not (player c_0_0 left)) (not (player c_0_0 right)) (pushed c_0_1)) (not (pushed c_0_1))) (when (and (not (ice c_0_0)) (ice c_0_1) (not (player c_0_0 left)) (not (player c_0_0 right)) (pushed c_0_1)) (pushed c_0_0)) (when (and (not (ice c_0_1)) (ice c_0_2) (not (player c_0_1 left)) (not (player c_0_1 right)) (pushed c_0_2)) (not (ice c_0_2))) (when (and (not (ice c_0_1)) (ice c_0_2) (not (player c_0_1 left)) (not (player c_0_1 right)) (pushed c_0_2)) (ice c_0_1)) (when (and (not (ice c_0_1)) (ice c_0_2) (not (player c_0_1 left)) (not (player c_0_1 right)) (pushed c_0_2)) (moved_2)) (when (and (not (ice c_0_1)) (ice c_0_2) (not (player c_0_1 left)) (not (player c_0_1 right)) (pushed c_0_2)) (not (pushed c_0_2))) (when (and (not (ice c_0_1)) (ice c_0_2) (not (player c_0_1 left)) (not (player c_0_1 right)) (pushed c_0_2)) (pushed c_0_1)) (when (and (not (ice c_0_2)) (ice c_0_3) (not (player c_0_2 left)) (not (player c_0_2 right)) (pushed c_0_3)) (not (ice c_0_3))) (when (and (not (ice c_0_2)) (ice c_0_3) (not (player c_0_2 left)) (not (player c_0_2 right)) (pushed c_0_3)) (ice c_0_2)) (when (and (not (ice c_0_2)) (ice c_0_3) (not (player c_0_2 left)) (not (player c_0_2 right)) (pushed c_0_3)) (moved_2)) (when (and (not (ice c_0_2)) (ice c_0_3) (not (player c_0_2 left)) (not (player c_0_2 right)) (pushed c_0_3)) (not (pushed c_0_3))) (when (and (not (ice c_0_2)) (ice c_0_3) (not (player c_0_2 left)) (not (player c_0_2 right)) (pushed c_0_3)) (pushed c_0_2))))
 (:action slide_magic
  :parameters ()
  :precondition (and (step_2) (input_magic))
  :effect (and (not (step_2)) (step_3)))
 (:action slide_again
  :parameters ()
  :precondition (and (step_3) (moved_2))
  :effect (and (not (step_3)) (step_2) (not (moved_2))))
 (:action slide_rests
  :parameters ()
  :precondition (and (step_3) (not (moved_2)))
  :effect (and (not (step_3)) (step_4)))
 (:action quench_ahead_right
  :parameters ()
  :precondition (and (step_4) (input_right))
  :effect (and (not (step_4)) (step_5) (when (and (ice c_0_2) (fire c_0_3) (pushed c_0_2)) (not (ice c_0_2))) (when (and (ice c_0_2) (fire c_0_3) (pushed c_0_2)) (not (fire c_0_3)))))
 (:action quench_ahead_left
  :parameters ()
  :precondition (and (step_4) (input_left))
  :effect (and (not (step_4)) (step_5)))
 (:action quench_ahead_magic
  :parameters ()
  :precondition (and (step_4) (input_magic))
  :effect (and (not (step_4)) (step_5)))
 (:action fall
  :parameters ()
  :precondition (and (step_5))
  :effect (and (not (step_5)) (step_6)))
 (:action fall_again
  :parameters ()
  :precondition (and (step_6) (moved_5))
  :effect (and (not (step_6)) (step_5) (not (moved_5))))
 (:action fall_rests
  :parameters ()
  :precondition (and (step_6) (not (moved_5)))
  :effect (and (not (step_6)) (step_7)))
 (:action end_turn
  :parameters ()
  :precondition (and (step_7))
  :effect (and (not (step_7)) (ready) (not (input_right)) (not (input_left)) (not (input_magic)) (not (pushed c_0_0)) (not (pushed c_0_1)) (not (pushed c_0_2)) (not (pushed c_0_3))))
)
(define (problem level_fire_and_ice_first-problem)
 (:domain level_fire_and_ice_first-domain)
 (:objects
   c_1_0 c_1_1 c_1_2 c_1_3 - location
   up down - direction
 )
 (:init
              (fire c_0_3)
              (ice c_0_1)
              (player c_0_0 right)
              (ready)
 )
 (:goal (and
           (ready)
           (not (lost))
           (not (fire c_0_0))
           (not (fire c_0_1))
           (not (fire c_0_2))
           (not (fire c_0_3))
           (not (fire c_1_0))
           (not (fire c_1_1))
           (not (fire c_1_2))
           (not (fire c_1_3))
        )
 )
)
