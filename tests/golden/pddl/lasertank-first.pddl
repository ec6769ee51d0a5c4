(define (domain level_lasertank_first-domain)
 (:requirements :strips :typing :negative-preconditions :disjunctive-preconditions :conditional-effects)
 (:types location direction)
 (:constants
   c_0_1 c_0_2 c_0_3 c_1_0 c_1_1 c_1_2 c_1_3 c_1_4 c_2_1 c_2_2 c_2_3 - location
   up right down left - direction
 )
 (:predicates
             (brick ?l0 - location)
             (block ?l0 - location)
             (tank ?l0 - location ?d1 - direction)
             (gun ?l0 - location ?d1 - direction)
             (water ?l0 - location)
             (ready)
             (lost)
             (step_1)
             (input_up)
             (input_right)
             (input_down)
             (input_left)
             (input_fire)
             (step_2)
             (beam ?l0 - location ?d1 - direction)
             (moved_2)
             (step_3)
             (step_4)
             (step_5)
             (step_6)
             (step_7)
             (step_8)
             (step_9)
             (shot ?l0 - location ?d1 - direction)
             (moved_9)
             (step_10)
             (step_11)
             (step_12)
 )
 (:action up_2
  :parameters ()
  :precondition (and (ready) (not (lost)))
  :effect (and (not (ready)) (step_1) (input_up)))
 (:action right_2
  :parameters ()
  :precondition (and (ready) (not (lost)))
  :effect (and (not (ready)) (step_1) (input_right)))
 (:action down_2
  :parameters ()
  :precondition (and (ready) (not (lost)))
  :effect (and (not (ready)) (step_1) (input_down)))
 (:action left_2
  :parameters ()
  :precondition (and (ready) (not (lost)))
  :effect (and (not (ready)) (step_1) (input_left)))
 (:action fire
  :parameters ()
  :precondition (and (ready) (not (lost)))
  :effect (and (not (ready)) (step_1) (input_fire)))
 (:action drive_up
  :parameters ()
  :precondition (and (step_1) (input_up))
  :effect (and (not (step_1)) (step_2) (when (tank c_1_1 up) (not (tank c_1_1 up))) (when (tank c_1_1 up) (tank c_1_1 up)) (when (tank c_1_2 up) (not (tank c_1_2 up))) (when (tank c_1_2 up) (tank c_1_2 up)) (when (tank c_1_3 up) (not (tank c_1_3 up))) (when (tank c_1_3 up) (tank c_1_3 up)) (when (tank c_1_1 right) (not (tank c_1_1 right))) (when (tank c_1_1 right) (tank c_1_1 up)) (when (tank c_1_2 right) (not (tank c_1_2 right))) (when (tank c_1_2 right) (tank c_1_2 up)) (when (tank c_1_3 right) (not (tank c_1_3 right))) (when (tank c_1_3 right) (tank c_1_3 up)) (when (tank c_1_1 down) (not (tank c_1_1 down))) (when (tank c_1_1 down) (tank c_1_1 up)) (when (tank c_1_2 down) (not (tank c_1_2 down))) (when (tank c_1_2 down) (tank c_1_2 up)) (when (tank c_1_3 down) (not (tank c_1_3 down))) (when (tank c_1_3 down) (tank c_1_3 up)) (when (tank c_1_1 left) (not (tank c_1_1 left))) (when (tank c_1_1 left) (tank c_1_1 up)) (when (tank c_1_2 left) (not (tank c_1_2 left))) (when (tank c_1_2 left) (tank c_1_2 up)) (when (tank c_1_3 left) (not (tank c_1_3 left))) (when (tank c_1_3 left) (tank c_1_3 up))))
 (:action drive_right
  :parameters ()
  :precondition (and (step_1) (input_right))
  :effect (and (not (step_1)) (step_2) (when (tank c_1_1 up) (not (tank c_1_1 up))) (when (tank c_1_1 up) (tank c_1_1 right)) (when (tank c_1_2 up) (not (tank c_1_2 up))) (when (tank c_1_2 up) (tank c_1_2 right)) (when (tank c_1_3 up) (not (tank c_1_3 up))) (when (tank c_1_3 up) (tank c_1_3 right)) (when (and (not (brick c_1_2)) (not (tank c_1_2 up)) (tank c_1_1 right) (not (tank c_1_2 right)) (not (tank c_1_2 down)) (not (tank c_1_2 left))) (not (tank c_1_1 right))) (when (and (not (brick c_1_2)) (not (tank c_1_2 up)) (tank c_1_1 right) (not (tank c_1_2 right)) (not (tank c_1_2 down)) (not (tank c_1_2 left))) (tank c_1_2 right)) (when (and (not (tank c_1_3 up)) (tank c_1_2 right) (not (tank c_1_3 right)) (not (tank c_1_3 down)) (not (tank c_1_3 left))) (not (tank c_1_2 right))) (when (and (not (tank c_1_3 up)) (tank c_1_2 right) (not (tank c_1_3 right)) (not (tank c_1_3 down)) (not (tank c_1_3 left))) (tank c_1_3 right)) (when (and (brick c_1_2) (tank c_1_1 right)) (not (tank c_1_1 right))) (when (and (brick c_1_2) (tank c_1_1 right)) (tank c_1_1 right)) (when (and (tank c_1_2 up) (tank c_1_1 right)) (not (tank c_1_1 right))) (when (and (tank c_1_2 up) (tank c_1_1 right)) (tank c_1_1 right)) (when (and (tank c_1_1 right) (tank c_1_2 right)) (not (tank c_1_1 right))) (when (and (tank c_1_1 right) (tank c_1_2 right)) (tank c_1_1 right)) (when (and (tank c_1_1 right) (tank c_1_2 down)) (not (tank c_1_1 right))) (when (and (tank c_1_1 right) (tank c_1_2 down)) (tank c_1_1 right)) (when (and (tank c_1_1 right) (tank c_1_2 left)) (not (tank c_1_1 right))) (when (and (tank c_1_1 right) (tank c_1_2 left)) (tank c_1_1 right)) (when (and (tank c_1_3 up) (tank c_1_2 right)) (not (tank c_1_2 right))) (when (and (tank c_1_3 up) (tank c_1_2 right)) (tank c_1_2 right)) (when (and (tank c_1_2 right) (tank c_1_3 right)) (not (tank c_1_2 right))) (when (and (tank c_1_2 right) (tank c_1_3 right)) (tank c_1_2 right)) (when (and (tank c_1_2 right) (tank c_1_3 down)) (not (tank c_1_2 right))) (when (and (tank c_1_2 right) (tank c_1_3 down)) (tank c_1_2 right)) (when (and (tank c_1_2 right) (tank c_1_3 left)) (not (tank c_1_2 right))) (when (and (tank c_1_2 right) (tank c_1_3 left)) (tank c_1_2 right)) (when (tank c_1_3 right) (not (tank c_1_3 right))) (when (tank c_1_3 right) (tank c_1_3 right)) (when (tank c_1_1 down) (not (tank c_1_1 down))) (when (tank c_1_1 down) (tank c_1_1 right)) (when (tank c_1_2 down) (not (tank c_1_2 down))) (when (tank c_1_2 down) (tank c_1_2 right)) (when (tank c_1_3 down) (not (tank c_1_3 down))) (when (tank c_1_3 down) (tank c_1_3 right)) (when (tank c_1_1 left) (not (tank c_1_1 left))) (when (tank c_1_1 left) (tank c_1_1 right)) (when (tank c_1_2 left) (not (tank c_1_2 left))) (when (tank c_1_2 left) (tank c_1_2 right)) (when (tank c_1_3 left) (not (tank c_1_3 left))) (when (tank c_1_3 left) (tank c_1_3 right))))
 (:action drive_down
  :parameters ()
  :precondition (and (step_1) (input_down))
  :effect (and (not (step_1)) (step_2) (when (tank c_1_1 up) (not (tank c_1_1 up))) (when (tank c_1_1 up) (tank c_1_1 down)) (when (tank c_1_2 up) (not (tank c_1_2 up))) (when (tank c_1_2 up) (tank c_1_2 down)) (when (tank c_1_3 up) (not (tank c_1_3 up))) (when (tank c_1_3 up) (tank c_1_3 down)) (when (tank c_1_1 right) (not (tank c_1_1 right))) (when (tank c_1_1 right) (tank c_1_1 down)) (when (tank c_1_2 right) (not (tank c_1_2 right))) (when (tank c_1_2 right) (tank c_1_2 down)) (when (tank c_1_3 right) (not (tank c_1_3 right))) (when (tank c_1_3 right) (tank c_1_3 down)) (when (tank c_1_1 down) (not (tank c_1_1 down))) (when (tank c_1_1 down) (tank c_1_1 down)) (when (tank c_1_2 down) (not (tank c_1_2 down))) (when (tank c_1_2 down) (tank c_1_2 down)) (when (tank c_1_3 down) (not (tank c_1_3 down))) (when (tank c_1_3 down) (tank c_1_3 down)) (when (tank c_1_1 left) (not (tank c_1_1 left))) (when (tank c_1_1 left) (tank c_1_1 down)) (when (tank c_1_2 left) (not (tank c_1_2 left))) (when (tank c_1_2 left) (tank c_1_2 down)) (when (tank c_1_3 left) (not (tank c_1_3 left))) (when (tank c_1_3 left) (tank c_1_3 down))))
 (:action drive_left
  :parameters ()
  :precondition (and (step_1) (input_left))
  :effect (and (not (step_1)) (step_2) (when (tank c_1_1 up) (not (tank c_1_1 up))) (when (tank c_1_1 up) (tank c_1_1 left)) (when (tank c_1_2 up) (not (tank c_1_2 up))) (when (tank c_1_2 up) (tank c_1_2 left)) (when (tank c_1_3 up) (not (tank c_1_3 up))) (when (tank c_1_3 up) (tank c_1_3 left)) (when (tank c_1_1 right) (not (tank c_1_1 right))) (when (tank c_1_1 right) (tank c_1_1 left)) (when (tank c_1_2 right) (not (tank c_1_2 right))) (when (tank c_1_2 right) (tank c_1_2 left)) (when (tank c_1_3 right) (not (tank c_1_3 right))) (when (tank c_1_3 right) (tank c_1_3 left)) (when (tank c_1_1 down) (not (tank c_1_1 down))) (when (tank c_1_1 down) (tank c_1_1 left)) (when (tank c_1_2 down) (not (tank c_1_2 down))) (when (tank c_1_2 down) (tank c_1_2 left)) (when (tank c_1_3 down) (not (tank c_1_3 down))) (when (tank c_1_3 down) (tank c_1_3 left)) (when (and (not (tank c_1_1 up)) (not (tank c_1_1 right)) (not (tank c_1_1 down)) (not (tank c_1_1 left)) (tank c_1_2 left)) (not (tank c_1_2 left))) (when (and (not (tank c_1_1 up)) (not (tank c_1_1 right)) (not (tank c_1_1 down)) (not (tank c_1_1 left)) (tank c_1_2 left)) (tank c_1_1 left)) (when (and (not (brick c_1_2)) (not (tank c_1_2 up)) (not (tank c_1_2 right)) (not (tank c_1_2 down)) (not (tank c_1_2 left)) (tank c_1_3 left)) (not (tank c_1_3 left))) (when (and (not (brick c_1_2)) (not (tank c_1_2 up)) (not (tank c_1_2 right)) (not (tank c_1_2 down)) (not (tank c_1_2 left)) (tank c_1_3 left)) (tank c_1_2 left)) (when (tank c_1_1 left) (not (tank c_1_1 left))) (when (tank c_1_1 left) (tank c_1_1 left)) (when (and (tank c_1_1 up) (tank c_1_2 left)) (not (tank c_1_2 left))) (when (and (tank c_1_1 up) (tank c_1_2 left)) (tank c_1_2 left)) (when (and (tank c_1_1 right) (tank c_1_2 left)) (not (tank c_1_2 left))) (when (and (tank c_1_1 right) (tank c_1_2 left)) (tank c_1_2 left)) (when (and (tank c_1_1 down) (tank c_1_2 left)) (not (tank c_1_2 left))) (when (and (tank c_1_1 down) (tank c_1_2 left)) (tank c_1_2 left)) (when (and (tank c_1_1 left) (tank c_1_2 left)) (not (tank c_1_2 left))) (when (and (tank c_1_1 left) (tank c_1_2 left)) (tank c_1_2 left)) (when (and (brick c_1_2) (tank c_1_3 left)) (not (tank c_1_3 left))) (when (and (brick c_1_2) (tank c_1_3 left)) (tank c_1_3 left)) (when (and (tank c_1_2 up) (tank c_1_3 left)) (not (tank c_1_3 left))) (when (and (tank c_1_2 up) (tank c_1_3 left)) (tank c_1_3 left)) (when (and (tank c_1_2 right) (tank c_1_3 left)) (not (tank c_1_3 left))) (when (and (tank c_1_2 right) (tank c_1_3 left)) (tank c_1_3 left)) (when (and (tank c_1_2 down) (tank c_1_3 left)) (not (tank c_1_3 left))) (when (and (tank c_1_2 down) (tank c_1_3 left)) (tank c_1_3 left)) (when (and (tank c_1_2 left) (tank c_1_3 left)) (not (tank c_1_3 left))) (when (and (tank c_1_2 left) (tank c_1_3 left)) (tank c_1_3 left))))
 (:action drive_fire
  :parameters ()
  :precondition (and (step_1) (input_fire))
  :effect (and (not (step_1)) (step_2) (when (tank c_1_1 up) (beam c_0_1 up)) (when (tank c_1_2 up) (beam c_0_2 up)) (when (tank c_1_3 up) (beam c_0_3 up)) (when (tank c_1_1 right) (beam c_1_2 right)) (when (tank c_1_2 right) (beam c_1_3 right)) (when (tank c_1_3 right) (beam c_1_4 right)) (when (tank c_1_1 down) (beam c_2_1 down)) (when (tank c_1_2 down) (beam c_2_2 down)) (when (tank c_1_3 down) (beam c_2_3 down)) (when (tank c_1_1 left) (beam c_1_0 left)) (when (tank c_1_2 left) (beam c_1_1 left)) (when (tank c_1_3 left) (beam c_1_2 left))))
 (:action beam_2
  :parameters ()
  :precondition (and (step_2))
  :effect (and (not (step_2)) (step_3) (when (and (not (brick c_1_2)) (not (tank c_1_2 up)) (not (tank c_1_2 right)) (not (tank c_1_2 down)) (not (tank c_1_2 left)) (beam c_1_2 right)) (not (beam c_1_2 right))) (when (and (not (brick c_1_2)) (not (tank c_1_2 up)) (not (tank c_1_2 right)) (not (tank c_1_2 down)) (not (tank c_1_2 left)) (beam c_1_2 right)) (beam c_1_3 right)) (when (and (not (brick c_1_2)) (not (tank c_1_2 up)) (not (tank c_1_2 right)) (not (tank c_1_2 down)) (not (tank c_1_2 left)) (beam c_1_2 right)) (moved_2)) (when (and (not (tank c_1_3 up)) (not (tank c_1_3 right)) (not (tank c_1_3 down)) (not (tank c_1_3 left)) (beam c_1_3 right)) (not (beam c_1_3 right))) (when (and (not (tank c_1_3 up)) (not (tank c_1_3 right)) (not (tank c_1_3 down)) (not (tank c_1_3 left)) (beam c_1_3 right)) (beam c_1_4 right)) (when (and (not (tank c_1_3 up)) (not (tank c_1_3 right)) (not (tank c_1_3 down)) (not (tank c_1_3 left)) (beam c_1_3 right)) (moved_2)) (when (and (not (tank c_1_1 up)) (not (tank c_1_1 right)) (not (tank c_1_1 down)) (not (tank c_1_1 left)) (beam c_1_1 left)) (not (beam c_1_1 left))) (when (and (not (tank c_1_1 up)) (not (tank c_1_1 right)) (not (tank c_1_1 down)) (not (tank c_1_1 left)) (beam c_1_1 left)) (beam c_1_0 left)) (when (and (not (tank c_1_1 up)) (not (tank c_1_1 right)) (not (tank c_1_1 down)) (not (tank c_1_1 left)) (beam c_1_1 left)) (moved_2)) (when (and (not (brick c_1_2)) (not (tank c_1_2 up)) (not (tank c_1_2 right)) (not (tank c_1_2 down)) (not (tank c_1_2 left)) (beam c_1_2 left)) (not (beam c_1_2 left))) (when (and (not (brick c_1_2)) (not (tank c_1_2 up)) (not (tank c_1_2 right)) (not (tank c_1_2 down)) (not (tank c_1_2 left)) (beam c_1_2 left)) (beam c_1_1 left)) (when (and (not (brick c_1_2)) (not (tank c_1_2 up)) (not (tank c_1_2 right)) (not (tank c_1_2 down)) (not (tank c_1_2 left)) (beam c_1_2 left)) (moved_2))))
 (:action beam_again
  :parameters ()
  :precondition (and (step_3) (moved_2))
  :effect (and (not (step_3)) (step_2) (not (moved_2))))
 (:action beam_rests
  :parameters ()
  :precondition (and (step_3) (not (moved_2)))
  :effect (and (not (step_3)) (step_4)))
 (:action hit
  :parameters ()
  :precondition (and (step_4))
  :effect (and (not (step_4)) (step_5) (when (and (brick c_1_2) (beam c_1_2 right)) (not (brick c_1_2))) (when (and (brick c_1_2) (beam c_1_2 left)) (not (brick c_1_2))) (when (and (tank c_1_1 up) (beam c_1_1 left)) (not (tank c_1_1 up))) (when (and (tank c_1_2 up) (beam c_1_2 right)) (not (tank c_1_2 up))) (when (and (tank c_1_2 up) (beam c_1_2 left)) (not (tank c_1_2 up))) (when (and (tank c_1_3 up) (beam c_1_3 right)) (not (tank c_1_3 up))) (when (and (tank c_1_1 right) (beam c_1_1 left)) (not (tank c_1_1 right))) (when (and (tank c_1_2 right) (beam c_1_2 right)) (not (tank c_1_2 right))) (when (and (tank c_1_2 right) (beam c_1_2 left)) (not (tank c_1_2 right))) (when (and (tank c_1_3 right) (beam c_1_3 right)) (not (tank c_1_3 right))) (when (and (tank c_1_1 down) (beam c_1_1 left)) (not (tank c_1_1 down))) (when (and (tank c_1_2 down) (beam c_1_2 right)) (not (tank c_1_2 down))) (when (and (tank c_1_2 down) (beam c_1_2 left)) (not (tank c_1_2 down))) (when (and (tank c_1_3 down) (beam c_1_3 right)) (not (tank c_1_3 down))) (when (and (tank c_1_1 left) (beam c_1_1 left)) (not (tank c_1_1 left))) (when (and (tank c_1_2 left) (beam c_1_2 right)) (not (tank c_1_2 left))) (when (and (tank c_1_2 left) (beam c_1_2 left)) (not (tank c_1_2 left))) (when (and (tank c_1_3 left) (beam c_1_3 right)) (not (tank c_1_3 left)))))
 (:action shove_across
  :parameters ()
  :precondition (and (step_5))
  :effect (and (not (step_5)) (step_6)))
 (:action shove_along
  :parameters ()
  :precondition (and (step_6))
  :effect (and (not (step_6)) (step_7)))
 (:action sink
  :parameters ()
  :precondition (and (step_7))
  :effect (and (not (step_7)) (step_8)))
 (:action shoot
  :parameters ()
  :precondition (and (step_8))
  :effect (and (not (step_8)) (step_9)))
 (:action shots
  :parameters ()
  :precondition (and (step_9))
  :effect (and (not (step_9)) (step_10)))
 (:action shots_again
  :parameters ()
  :precondition (and (step_10) (moved_9))
  :effect (and (not (step_10)) (step_9) (not (moved_9))))
 (:action shots_rests
  :parameters ()
  :precondition (and (step_10) (not (moved_9)))
  :effect (and (not (step_10)) (step_11)))
 (:action struck
  :parameters ()
  :precondition (and (step_11))
  :effect (and (not (step_11)) (step_12)))
 (:action end_turn
  :parameters ()
  :precondition (and (step_12))
  :effect (and (not (step_12)) (ready) (not (input_up)) (not (input_right)) (not (input_down)) (not (input_left)) (not (input_fire)) (not (beam c_0_1 up)) (not (beam c_0_2 up)) (not (beam c_0_3 up)) (not (beam c_1_2 right)) (not (beam c_1_3 right)) (not (beam c_1_4 right)) (not (beam c_2_1 down)) (not (beam c_2_2 down)) (not (beam c_2_3 down)) (not (beam c_1_0 left)) (not (beam c_1_1 left)) (not (beam c_1_2 left)) (when (and (not (tank c_1_1 up)) (not (tank c_1_2 up)) (not (tank c_1_3 up)) (not (tank c_1_1 right)) (not (tank c_1_2 right)) (not (tank c_1_3 right)) (not (tank c_1_1 down)) (not (tank c_1_2 down)) (not (tank c_1_3 down)) (not (tank c_1_1 left)) (not (tank c_1_2 left)) (not (tank c_1_3 left))) (lost))))
)
(define (problem level_lasertank_first-problem)
 (:domain level_lasertank_first-domain)
 (:objects
   c_0_0 c_0_4 c_2_0 c_2_4 - location
 )
 (:init
              (brick c_1_2)
              (ready)
              (tank c_1_1 right)
 )
 (:goal (and
           (ready)
           (not (lost))
           (or (tank c_1_3 up) (tank c_1_3 right) (tank c_1_3 down) (tank c_1_3 left))
        )
 )
)
