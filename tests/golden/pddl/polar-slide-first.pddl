(define (domain level_polar_slide_first-domain)
 (:requirements :strips :typing :negative-preconditions :conditional-effects)
 (:types location)
 (:constants
   c_0_0 c_0_1 c_0_2 c_0_3 c_0_4 c_1_0 c_1_1 c_1_2 c_1_3 c_1_4 c_2_0 c_2_1 c_2_3 c_2_4 c_3_0 c_3_2 c_3_3 c_3_4 c_4_0 c_4_1 c_4_2 c_4_3 - location
 )
 (:predicates
             (player ?l0 - location)
             (ready)
             (step_1)
             (input_up)
             (input_right)
             (input_down)
             (input_left)
             (moved_1)
             (step_2)
             (step_3)
 )
 (:action up
  :parameters ()
  :precondition (and (ready))
  :effect (and (not (ready)) (step_1) (input_up)))
 (:action right
  :parameters ()
  :precondition (and (ready))
  :effect (and (not (ready)) (step_1) (input_right)))
 (:action down
  :parameters ()
  :precondition (and (ready))
  :effect (and (not (ready)) (step_1) (input_down)))
 (:action left
  :parameters ()
  :precondition (and (ready))
  :effect (and (not (ready)) (step_1) (input_left)))
 (:action pass_up
  :parameters ()
  :precondition (and (step_1) (input_up))
  :effect (and (not (step_1)) (step_2) (when (and (not (player c_0_0)) (player c_1_0)) (not (player c_1_0))) (when (and (not (player c_0_0)) (player c_1_0)) (player c_0_0)) (when (and (not (player c_0_0)) (player c_1_0)) (moved_1)) (when (and (not (player c_0_1)) (player c_1_1)) (not (player c_1_1))) (when (and (not (player c_0_1)) (player c_1_1)) (player c_0_1)) (when (and (not (player c_0_1)) (player c_1_1)) (moved_1)) (when (and (not (player c_0_2)) (player c_1_2)) (not (player c_1_2))) (when (and (not (player c_0_2)) (player c_1_2)) (player c_0_2)) (when (and (not (player c_0_2)) (player c_1_2)) (moved_1)) (when (and (not (player c_0_3)) (player c_1_3)) (not (player c_1_3))) (when (and (not (player c_0_3)) (player c_1_3)) (player c_0_3)) (when (and (not (player c_0_3)) (player c_1_3)) (moved_1)) (when (and (not (player c_0_4)) (player c_1_4)) (not (player c_1_4))) (when (and (not (player c_0_4)) (player c_1_4)) (player c_0_4)) (when (and (not (player c_0_4)) (player c_1_4)) (moved_1)) (when (and (not (player c_1_0)) (player c_2_0)) (not (player c_2_0))) (when (and (not (player c_1_0)) (player c_2_0)) (player c_1_0)) (when (and (not (player c_1_0)) (player c_2_0)) (moved_1)) (when (and (not (player c_1_1)) (player c_2_1)) (not (player c_2_1))) (when (and (not (player c_1_1)) (player c_2_1)) (player c_1_1)) (when (and (not (player c_1_1)) (player c_2_1)) (moved_1)) (when (and (not (player c_1_3)) (player c_2_3)) (not (player c_2_3))) (when (and (not (player c_1_3)) (player c_2_3)) (player c_1_3)) (when (and (not (player c_1_3)) (player c_2_3)) (moved_1)) (when (and (not (player c_1_4)) (player c_2_4)) (not (player c_2_4))) (when (and (not (player c_1_4)) (player c_2_4)) (player c_1_4)) (when (and (not (player c_1_4)) (player c_2_4)) (moved_1)) (when (and (not (player c_2_0)) (player c_3_0)) (not (player c_3_0))) (when (and (not (player c_2_0)) (player c_3_0)) (player c_2_0)) (when (and (not (player c_2_0)) (player c_3_0)) (moved_1)) (when (and (not (player c_2_3)) (player c_3_3)) (not (player c_3_3))) (when (and (not (player c_2_3)) (player c_3_3)) (player c_2_3)) (when (and (not (player c_2_3)) (player c_3_3)) (moved_1)) (when (and (not (player c_2_4)) (player c_3_4)) (not (player c_3_4))) (when (and (not (player c_2_4)) (player c_3_4)) (player c_2_4)) (when (and (not (player c_2_4)) (player c_3_4)) (moved_1)) (when (and (not (player c_3_0)) (player c_4_0)) (not (player c_4_0))) (when (and (not (player c_3_0)) (player c_4_0)) (player c_3_0)) (when (and (not (player c_3_0)) (player c_4_0)) (moved_1)) (when (and (not (player c_3_2)) (player c_4_2)) (not (player c_4_2))) (when (and (not (player c_3_2)) (player c_4_2)) (player c_3_2)) (when (and (not (player c_3_2)) (player c_4_2)) (moved_1)) (when (and (not (player c_3_3)) (player c_4_3)) (not (player c_4_3))) (when (and (not (player c_3_3)) (player c_4_3)) (player c_3_3)) (when (and (not (player c_3_3)) (player c_4_3)) (moved_1))))
 (:action pass_right
  :parameters ()
  :precondition (and (step_1) (input_right))
  :effect (and (not (step_1)) (step_2) (when (and (player c_0_0) (not (player c_0_1))) (not (player c_0_0))) (when (and (player c_0_0) (not (player c_0_1))) (player c_0_1)) (when (and (player c_0_0) (not (player c_0_1))) (moved_1)) (when (and (player c_0_1) (not (player c_0_2))) (not (player c_0_1))) (when (and (player c_0_1) (not (player c_0_2))) (player c_0_2)) (when (and (player c_0_1) (not (player c_0_2))) (moved_1)) (when (and (player c_0_2) (not (player c_0_3))) (not (player c_0_2))) (when (and (player c_0_2) (not (player c_0_3))) (player c_0_3)) (when (and (player c_0_2) (not (player c_0_3))) (moved_1)) (when (and (player c_0_3) (not (player c_0_4))) (not (player c_0_3))) (when (and (player c_0_3) (not (player c_0_4))) (player c_0_4)) (when (and (player c_0_3) (not (player c_0_4))) (moved_1)) (when (and (player c_1_0) (not (player c_1_1))) (not (player c_1_0))) (when (and (player c_1_0) (not (player c_1_1))) (player c_1_1)) (when (and (player c_1_0) (not (player c_1_1))) (moved_1)) (when (and (player c_1_1) (not (player c_1_2))) (not (player c_1_1))) (when (and (player c_1_1) (not (player c_1_2))) (player c_1_2)) (when (and (player c_1_1) (not (player c_1_2))) (moved_1)) (when (and (player c_1_2) (not (player c_1_3))) (not (player c_1_2))) (when (and (player c_1_2) (not (player c_1_3))) (player c_1_3)) (when (and (player c_1_2) (not (player c_1_3))) (moved_1)) (when (and (player c_1_3) (not (player c_1_4))) (not (player c_1_3))) (when (and (player c_1_3) (not (player c_1_4))) (player c_1_4)) (when (and (player c_1_3) (not (player c_1_4))) (moved_1)) (when (and (player c_2_0) (not (player c_2_1))) (not (player c_2_0))) (when (and (player c_2_0) (not (player c_2_1))) (player c_2_1)) (when (and (player c_2_0) (not (player c_2_1))) (moved_1)) (when (and (player c_2_3) (not (player c_2_4))) (not (player c_2_3))) (when (and (player c_2_3) (not (player c_2_4))) (player c_2_4)) (when (and (player c_2_3) (not (player c_2_4))) (moved_1)) (when (and (player c_3_2) (not (player c_3_3))) (not (player c_3_2))) (when (and (player c_3_2) (not (player c_3_3))) (player c_3_3)) (when (and (player c_3_2) (not (player c_3_3))) (moved_1)) (when (and (player c_3_3) (not (player c_3_4))) (not (player c_3_3))) (when (and (player c_3_3) (not (player c_3_4))) (player c_3_4)) (when (and (player c_3_3) (not (player c_3_4))) (moved_1)) (when (and (player c_4_0) (not (player c_4_1))) (not (player c_4_0))) (when (and (player c_4_0) (not (player c_4_1))) (player c_4_1)) (when (and (player c_4_0) (not (player c_4_1))) (moved_1)) (when (and (player c_4_1) (not (player c_4_2))) (not (player c_4_1))) (when (and (player c_4_1) (not (player c_4_2))) (player c_4_2)) (when (and (player c_4_1) (not (player c_4_2))) (moved_1)) (when (and (player c_4_2) (not (player c_4_3))) (not (player c_4_2))) (when (and (player c_4_2) (not (player c_4_3))) (player c_4_3)) (when (and (player c_4_2) (not (player c_4_3))) (moved_1))))
 (:action pass_down
  :parameters ()
  :precondition (and (step_1) (input_down))
  :effect (and (not (step_1)) (step_2) (when (and (player c_0_0) (not (player c_1_0))) (not (player c_0_0))) (when (and (player c_0_0) (not (player c_1_0))) (player c_1_0)) (when (and (player c_0_0) (not (player c_1_0))) (moved_1)) (when (and (player c_0_1) (not (player c_1_1))) (not (player c_0_1))) (when (and (player c_0_1) (not (player c_1_1))) (player c_1_1)) (when (and (player c_0_1) (not (player c_1_1))) (moved_1)) (when (and (player c_0_2) (not (player c_1_2))) (not (player c_0_2))) (when (and (player c_0_2) (not (player c_1_2))) (player c_1_2)) (when (and (player c_0_2) (not (player c_1_2))) (moved_1)) (when (and (player c_0_3) (not (player c_1_3))) (not (player c_0_3))) (when (and (player c_0_3) (not (player c_1_3))) (player c_1_3)) (when (and (player c_0_3) (not (player c_1_3))) (moved_1)) (when (and (player c_0_4) (not (player c_1_4))) (not (player c_0_4))) (when (and (player c_0_4) (not (player c_1_4))) (player c_1_4)) (when (and (player c_0_4) (not (player c_1_4))) (moved_1)) (when (and (player c_1_0) (not (player c_2_0))) (not (player c_1_0))) (when (and (player c_1_0) (not (player c_2_0))) (player c_2_0)) (when (and (player c_1_0) (not (player c_2_0))) (moved_1)) (when (and (player c_1_1) (not (player c_2_1))) (not (player c_1_1))) (when (and (player c_1_1) (not (player c_2_1))) (player c_2_1)) (when (and (player c_1_1) (not (player c_2_1))) (moved_1)) (when (and (player c_1_3) (not (player c_2_3))) (not (player c_1_3))) (when (and (player c_1_3) (not (player c_2_3))) (player c_2_3)) (when (and (player c_1_3) (not (player c_2_3))) (moved_1)) (when (and (player c_1_4) (not (player c_2_4))) (not (player c_1_4))) (when (and (player c_1_4) (not (player c_2_4))) (player c_2_4)) (when (and (player c_1_4) (not (player c_2_4))) (moved_1)) (when (and (player c_2_0) (not (player c_3_0))) (not (player c_2_0))) (when (and (player c_2_0) (not (player c_3_0))) (player c_3_0)) (when (and (player c_2_0) (not (player c_3_0))) (moved_1)) (when (and (player c_2_3) (not (player c_3_3))) (not (player c_2_3))) (when (and (player c_2_3) (not (player c_3_3))) (player c_3_3)) (when (and (player c_2_3) (not (player c_3_3))) (moved_1)) (when (and (player c_2_4) (not (player c_3_4))) (not (player c_2_4))) (when (and (player c_2_4) (not (player c_3_4))) (player c_3_4)) (when (and (player c_2_4) (not (player c_3_4))) (moved_1)) (when (and (player c_3_0) (not (player c_4_0))) (not (player c_3_0))) (when (and (player c_3_0) (not (player c_4_0))) (player c_4_0)) (when (and (player c_3_0) (not (player c_4_0))) (moved_1)) (when (and (player c_3_2) (not (player c_4_2))) (not (player c_3_2))) (when (and (player c_3_2) (not (player c_4_2))) (player c_4_2)) (when (and (player c_3_2) (not (player c_4_2))) (moved_1)) (when (and (player c_3_3) (not (player c_4_3))) (not (player c_3_3))) (when (and (player c_3_3) (not (player c_4_3))) (player c_4_3)) (when (and (player c_3_3) (not (player c_4_3))) (moved_1))))
 (:action pass_left
  :parameters ()
  :precondition (and (step_1) (input_left))
  :effect (and (not (step_1)) (step_2) (when (and (not (player c_0_0)) (player c_0_1)) (not (player c_0_1))) (when (and (not (player c_0_0)) (player c_0_1)) (player c_0_0)) (when (and (not (player c_0_0)) (player c_0_1)) (moved_1)) (when (and (not (player c_0_1)) (player c_0_2)) (not (player c_0_2))) (when (and (not (player c_0_1)) (player c_0_2)) (player c_0_1)) (when (and (not (player c_0_1)) (player c_0_2)) (moved_1)) (when (and (not (player c_0_2)) (player c_0_3)) (not (player c_0_3))) (when (and (not (player c_0_2)) (player c_0_3)) (player c_0_2)) (when (and (not (player c_0_2)) (player c_0_3)) (moved_1)) (when (and (not (player c_0_3)) (player c_0_4)) (not (player c_0_4))) (when (and (not (player c_0_3)) (player c_0_4)) (player c_0_3)) (when (and (not (player c_0_3)) (player c_0_4)) (moved_1)) (when (and (not (player c_1_0)) (player c_1_1)) (not (player c_1_1))) (when (and (not (player c_1_0)) (player c_1_1)) (player c_1_0)) (when (and (not (player c_1_0)) (player c_1_1)) (moved_1)) (when (and (not (player c_1_1)) (player c_1_2)) (not (player c_1_2))) (when (and (not (player c_1_1)) (player c_1_2)) (player c_1_1)) (when (and (not (player c_1_1)) (player c_1_2)) (moved_1)) (when (and (not (player c_1_2)) (player c_1_3)) (not (player c_1_3))) (when (and (not (player c_1_2)) (player c_1_3)) (player c_1_2)) (when (and (not (player c_1_2)) (player c_1_3)) (moved_1)) (when (and (not (player c_1_3)) (player c_1_4)) (not (player c_1_4))) (when (and (not (player c_1_3)) (player c_1_4)) (player c_1_3)) (when (and (not (player c_1_3)) (player c_1_4)) (moved_1)) (when (and (not (player c_2_0)) (player c_2_1)) (not (player c_2_1))) (when (and (not (player c_2_0)) (player c_2_1)) (player c_2_0)) (when (and (not (player c_2_0)) (player c_2_1)) (moved_1)) (when (and (not (player c_2_3)) (player c_2_4)) (not (player c_2_4))) (when (and (not (player c_2_3)) (player c_2_4)) (player c_2_3)) (when (and (not (player c_2_3)) (player c_2_4)) (moved_1)) (when (and (not (player c_3_2)) (player c_3_3)) (not (player c_3_3))) (when (and (not (player c_3_2)) (player c_3_3)) (player c_3_2)) (when (and (not (player c_3_2)) (player c_3_3)) (moved_1)) (when (and (not (player c_3_3)) (player c_3_4)) (not (player c_3_4))) (when (and (not (player c_3_3)) (player c_3_4)) (player c_3_3)) (when (and (not (player c_3_3)) (player c_3_4)) (moved_1)) (when (and (not (player c_4_0)) (player c_4_1)) (not (player c_4_1))) (when (and (not (player c_4_0)) (player c_4_1)) (player c_4_0)) (when (and (not (player c_4_0)) (player c_4_1)) (moved_1)) (when (and (not (player c_4_1)) (player c_4_2)) (not (player c_4_2))) (when (and (not (player c_4_1)) (player c_4_2)) (player c_4_1)) (when (and (not (player c_4_1)) (player c_4_2)) (moved_1)) (when (and (not (player c_4_2)) (player c_4_3)) (not (player c_4_3))) (when (and (not (player c_4_2)) (player c_4_3)) (player c_4_2)) (when (and (not (player c_4_2)) (player c_4_3)) (moved_1))))
 (:action loop_again
  :parameters ()
  :precondition (and (step_2) (moved_1))
  :effect (and (not (step_2)) (step_1) (not (moved_1))))
 (:action loop_rests
  :parameters ()
  :precondition (and (step_2) (not (moved_1)))
  :effect (and (not (step_2)) (step_3)))
 (:action end_turn
  :parameters ()
  :precondition (and (step_3))
  :effect (and (not (step_3)) (ready) (not (input_up)) (not (input_right)) (not (input_down)) (not (input_left))))
)
(define (problem level_polar_slide_first-problem)
 (:domain level_polar_slide_first-domain)
 (:objects
   c_2_2 c_3_1 c_4_4 - location
 )
 (:init
              (player c_0_0)
              (ready)
 )
 (:goal (and
           (ready)
           (player c_4_3)
        )
 )
)
