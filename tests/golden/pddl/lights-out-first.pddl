(define (domain level_lights_out_first-domain)
 (:requirements :strips :typing :negative-preconditions :conditional-effects)
 (:types location)
 (:constants
   c_0_0 c_0_1 c_0_2 c_1_0 c_1_1 c_1_2 c_2_0 c_2_1 c_2_2 - location
 )
 (:predicates
             (lit ?l0 - location)
             (dark ?l0 - location)
             (ready)
 )
 (:action pick_0_0
  :parameters ()
  :effect (and (when (lit c_0_0) (not (lit c_0_0))) (when (lit c_0_0) (dark c_0_0)) (when (and (lit c_0_0) (lit c_1_0)) (not (lit c_1_0))) (when (and (lit c_0_0) (lit c_1_0)) (dark c_1_0)) (when (and (lit c_1_0) (dark c_0_0)) (not (lit c_1_0))) (when (and (lit c_1_0) (dark c_0_0)) (dark c_1_0)) (when (and (lit c_0_0) (lit c_0_1)) (not (lit c_0_1))) (when (and (lit c_0_0) (lit c_0_1)) (dark c_0_1)) (when (and (lit c_0_1) (dark c_0_0)) (not (lit c_0_1))) (when (and (lit c_0_1) (dark c_0_0)) (dark c_0_1)) (when (dark c_0_0) (not (dark c_0_0))) (when (dark c_0_0) (lit c_0_0)) (when (and (lit c_0_0) (dark c_1_0)) (not (dark c_1_0))) (when (and (lit c_0_0) (dark c_1_0)) (lit c_1_0)) (when (and (dark c_0_0) (dark c_1_0)) (not (dark c_1_0))) (when (and (dark c_0_0) (dark c_1_0)) (lit c_1_0)) (when (and (lit c_0_0) (dark c_0_1)) (not (dark c_0_1))) (when (and (lit c_0_0) (dark c_0_1)) (lit c_0_1)) (when (and (dark c_0_0) (dark c_0_1)) (not (dark c_0_1))) (when (and (dark c_0_0) (dark c_0_1)) (lit c_0_1))))
 (:action pick_0_1
  :parameters ()
  :effect (and (when (lit c_0_1) (not (lit c_0_1))) (when (lit c_0_1) (dark c_0_1)) (when (and (lit c_0_1) (lit c_1_1)) (not (lit c_1_1))) (when (and (lit c_0_1) (lit c_1_1)) (dark c_1_1)) (when (and (lit c_1_1) (dark c_0_1)) (not (lit c_1_1))) (when (and (lit c_1_1) (dark c_0_1)) (dark c_1_1)) (when (and (lit c_0_0) (lit c_0_1)) (not (lit c_0_0))) (when (and (lit c_0_0) (lit c_0_1)) (dark c_0_0)) (when (and (lit c_0_0) (dark c_0_1)) (not (lit c_0_0))) (when (and (lit c_0_0) (dark c_0_1)) (dark c_0_0)) (when (and (lit c_0_1) (lit c_0_2)) (not (lit c_0_2))) (when (and (lit c_0_1) (lit c_0_2)) (dark c_0_2)) (when (and (lit c_0_2) (dark c_0_1)) (not (lit c_0_2))) (when (and (lit c_0_2) (dark c_0_1)) (dark c_0_2)) (when (dark c_0_1) (not (dark c_0_1))) (when (dark c_0_1) (lit c_0_1)) (when (and (lit c_0_1) (dark c_1_1)) (not (dark c_1_1))) (when (and (lit c_0_1) (dark c_1_1)) (lit c_1_1)) (when (and (dark c_0_1) (dark c_1_1)) (not (dark c_1_1))) (when (and (dark c_0_1) (dark c_1_1)) (lit c_1_1)) (when (and (lit c_0_1) (dark c_0_0)) (not (dark c_0_0))) (when (and (lit c_0_1) (dark c_0_0)) (lit c_0_0)) (when (and (dark c_0_0) (dark c_0_1)) (not (dark c_0_0))) (when (and (dark c_0_0) (dark c_0_1)) (lit c_0_0)) (when (and (lit c_0_1) (dark c_0_2)) (not (dark c_0_2))) (when (and (lit c_0_1) (dark c_0_2)) (lit c_0_2)) (when (and (dark c_0_1) (dark c_0_2)) (not (dark c_0_2))) (when (and (dark c_0_1) (dark c_0_2)) (lit c_0_2))))
 (:action pick_0_2
  :parameters ()
  :effect (and (when (lit c_0_2) (not (lit c_0_2))) (when (lit c_0_2) (dark c_0_2)) (when (and (lit c_0_2) (lit c_1_2)) (not (lit c_1_2))) (when (and (lit c_0_2) (lit c_1_2)) (dark c_1_2)) (when (and (lit c_1_2) (dark c_0_2)) (not (lit c_1_2))) (when (and (lit c_1_2) (dark c_0_2)) (dark c_1_2)) (when (and (lit c_0_1) (lit c_0_2)) (not (lit c_0_1))) (when (and (lit c_0_1) (lit c_0_2)) (dark c_0_1)) (when (and (lit c_0_1) (dark c_0_2)) (not (lit c_0_1))) (when (and (lit c_0_1) (dark c_0_2)) (dark c_0_1)) (when (dark c_0_2) (not (dark c_0_2))) (when (dark c_0_2) (lit c_0_2)) (when (and (lit c_0_2) (dark c_1_2)) (not (dark c_1_2))) (when (and (lit c_0_2) (dark c_1_2)) (lit c_1_2)) (when (and (dark c_0_2) (dark c_1_2)) (not (dark c_1_2))) (when (and (dark c_0_2) (dark c_1_2)) (lit c_1_2)) (when (and (lit c_0_2) (dark c_0_1)) (not (dark c_0_1))) (when (and (lit c_0_2) (dark c_0_1)) (lit c_0_1)) (when (and (dark c_0_1) (dark c_0_2)) (not (dark c_0_1))) (when (and (dark c_0_1) (dark c_0_2)) (lit c_0_1))))
 (:action pick_1_0
  :parameters ()
  :effect (and (when (lit c_1_0) (not (lit c_1_0))) (when (lit c_1_0) (dark c_1_0)) (when (and (lit c_1_0) (lit c_2_0)) (not (lit c_2_0))) (when (and (lit c_1_0) (lit c_2_0)) (dark c_2_0)) (when (and (lit c_2_0) (dark c_1_0)) (not (lit c_2_0))) (when (and (lit c_2_0) (dark c_1_0)) (dark c_2_0)) (when (and (lit c_0_0) (lit c_1_0)) (not (lit c_0_0))) (when (and (lit c_0_0) (lit c_1_0)) (dark c_0_0)) (when (and (lit c_0_0) (dark c_1_0)) (not (lit c_0_0))) (when (and (lit c_0_0) (dark c_1_0)) (dark c_0_0)) (when (and (lit c_1_0) (lit c_1_1)) (not (lit c_1_1))) (when (and (lit c_1_0) (lit c_1_1)) (dark c_1_1)) (when (and (lit c_1_1) (dark c_1_0)) (not (lit c_1_1))) (when (and (lit c_1_1) (dark c_1_0)) (dark c_1_1)) (when (dark c_1_0) (not (dark c_1_0))) (when (dark c_1_0) (lit c_1_0)) (when (and (lit c_1_0) (dark c_2_0)) (not (dark c_2_0))) (when (and (lit c_1_0) (dark c_2_0)) (lit c_2_0)) (when (and (dark c_1_0) (dark c_2_0)) (not (dark c_2_0))) (when (and (dark c_1_0) (dark c_2_0)) (lit c_2_0)) (when (and (lit c_1_0) (dark c_0_0)) (not (dark c_0_0))) (when (and (lit c_1_0) (dark c_0_0)) (lit c_0_0)) (when (and (dark c_0_0) (dark c_1_0)) (not (dark c_0_0))) (when (and (dark c_0_0) (dark c_1_0)) (lit c_0_0)) (when (and (lit c_1_0) (dark c_1_1)) (not (dark c_1_1))) (when (and (lit c_1_0) (dark c_1_1)) (lit c_1_1)) (when (and (dark c_1_0) (dark c_1_1)) (not (dark c_1_1))) (when (and (dark c_1_0) (dark c_1_1)) (lit c_1_1))))
 (:action pick_1_1
  :parameters ()
  :effect (and (when (lit c_1_1) (not (lit c_1_1))) (when (lit c_1_1) (dark c_1_1)) (when (and (lit c_1_1) (lit c_2_1)) (not (lit c_2_1))) (when (and (lit c_1_1) (lit c_2_1)) (dark c_2_1)) (when (and (lit c_2_1) (dark c_1_1)) (not (lit c_2_1))) (when (and (lit c_2_1) (dark c_1_1)) (dark c_2_1)) (when (and (lit c_1_0) (lit c_1_1)) (not (lit c_1_0))) (when (and (lit c_1_0) (lit c_1_1)) (dark c_1_0)) (when (and (lit c_1_0) (dark c_1_1)) (not (lit c_1_0))) (when (and (lit c_1_0) (dark c_1_1)) (dark c_1_0)) (when (and (lit c_0_1) (lit c_1_1)) (not (lit c_0_1))) (when (and (lit c_0_1) (lit c_1_1)) (dark c_0_1)) (when (and (lit c_0_1) (dark c_1_1)) (not (lit c_0_1))) (when (and (lit c_0_1) (dark c_1_1)) (dark c_0_1)) (when (and (lit c_1_1) (lit c_1_2)) (not (lit c_1_2))) (when (and (lit c_1_1) (lit c_1_2)) (dark c_1_2)) (when (and (lit c_1_2) (dark c_1_1)) (not (lit c_1_2))) (when (and (lit c_1_2) (dark c_1_1)) (dark c_1_2)) (when (dark c_1_1) (not (dark c_1_1))) (when (dark c_1_1) (lit c_1_1)) (when (and (lit c_1_1) (dark c_2_1)) (not (dark c_2_1))) (when (and (lit c_1_1) (dark c_2_1)) (lit c_2_1)) (when (and (dark c_1_1) (dark c_2_1)) (not (dark c_2_1))) (when (and (dark c_1_1) (dark c_2_1)) (lit c_2_1)) (when (and (lit c_1_1) (dark c_1_0)) (not (dark c_1_0))) (when (and (lit c_1_1) (dark c_1_0)) (lit c_1_0)) (when (and (dark c_1_0) (dark c_1_1)) (not (dark c_1_0))) (when (and (dark c_1_0) (dark c_1_1)) (lit c_1_0)) (when (and (lit c_1_1) (dark c_0_1)) (not (dark c_0_1))) (when (and (lit c_1_1) (dark c_0_1)) (lit c_0_1)) (when (and (dark c_0_1) (dark c_1_1)) (not (dark c_0_1))) (when (and (dark c_0_1) (dark c_1_1)) (lit c_0_1)) (when (and (lit c_1_1) (dark c_1_2)) (not (dark c_1_2))) (when (and (lit c_1_1) (dark c_1_2)) (lit c_1_2)) (when (and (dark c_1_1) (dark c_1_2)) (not (dark c_1_2))) (when (and (dark c_1_1) (dark c_1_2)) (lit c_1_2))))
 (:action pick_1_2
  :parameters ()
  :effect (and (when (lit c_1_2) (not (lit c_1_2))) (when (lit c_1_2) (dark c_1_2)) (when (and (lit c_1_2) (lit c_2_2)) (not (lit c_2_2))) (when (and (lit c_1_2) (lit c_2_2)) (dark c_2_2)) (when (and (lit c_2_2) (dark c_1_2)) (not (lit c_2_2))) (when (and (lit c_2_2) (dark c_1_2)) (dark c_2_2)) (when (and (lit c_1_1) (lit c_1_2)) (not (lit c_1_1))) (when (and (lit c_1_1) (lit c_1_2)) (dark c_1_1)) (when (and (lit c_1_1) (dark c_1_2)) (not (lit c_1_1))) (when (and (lit c_1_1) (dark c_1_2)) (dark c_1_1)) (when (and (lit c_0_2) (lit c_1_2)) (not (lit c_0_2))) (when (and (lit c_0_2) (lit c_1_2)) (dark c_0_2)) (when (and (lit c_0_2) (dark c_1_2)) (not (lit c_0_2))) (when (and (lit c_0_2) (dark c_1_2)) (dark c_0_2)) (when (dark c_1_2) (not (dark c_1_2))) (when (dark c_1_2) (lit c_1_2)) (when (and (lit c_1_2) (dark c_2_2)) (not (dark c_2_2))) (when (and (lit c_1_2) (dark c_2_2)) (lit c_2_2)) (when (and (dark c_1_2) (dark c_2_2)) (not (dark c_2_2))) (when (and (dark c_1_2) (dark c_2_2)) (lit c_2_2)) (when (and (lit c_1_2) (dark c_1_1)) (not (dark c_1_1))) (when (and (lit c_1_2) (dark c_1_1)) (lit c_1_1)) (when (and (dark c_1_1) (dark c_1_2)) (not (dark c_1_1))) (when (and (dark c_1_1) (dark c_1_2)) (lit c_1_1)) (when (and (lit c_1_2) (dark c_0_2)) (not (dark c_0_2))) (when (and (lit c_1_2) (dark c_0_2)) (lit c_0_2)) (when (and (dark c_0_2) (dark c_1_2)) (not (dark c_0_2))) (when (and (dark c_0_2) (dark c_1_2)) (lit c_0_2))))
 (:action pick_2_0
  :parameters ()
  :effect (and (when (lit c_2_0) (not (lit c_2_0))) (when (lit c_2_0) (dark c_2_0)) (when (and (lit c_1_0) (lit c_2_0)) (not (lit c_1_0))) (when (and (lit c_1_0) (lit c_2_0)) (dark c_1_0)) (when (and (lit c_1_0) (dark c_2_0)) (not (lit c_1_0))) (when (and (lit c_1_0) (dark c_2_0)) (dark c_1_0)) (when (and (lit c_2_0) (lit c_2_1)) (not (lit c_2_1))) (when (and (lit c_2_0) (lit c_2_1)) (dark c_2_1)) (when (and (lit c_2_1) (dark c_2_0)) (not (lit c_2_1))) (when (and (lit c_2_1) (dark c_2_0)) (dark c_2_1)) (when (dark c_2_0) (not (dark c_2_0))) (when (dark c_2_0) (lit c_2_0)) (when (and (lit c_2_0) (dark c_1_0)) (not (dark c_1_0))) (when (and (lit c_2_0) (dark c_1_0)) (lit c_1_0)) (when (and (dark c_1_0) (dark c_2_0)) (not (dark c_1_0))) (when (and (dark c_1_0) (dark c_2_0)) (lit c_1_0)) (when (and (lit c_2_0) (dark c_2_1)) (not (dark c_2_1))) (when (and (lit c_2_0) (dark c_2_1)) (lit c_2_1)) (when (and (dark c_2_0) (dark c_2_1)) (not (dark c_2_1))) (when (and (dark c_2_0) (dark c_2_1)) (lit c_2_1))))
 (:action pick_2_1
  :parameters ()
  :effect (and (when (lit c_2_1) (not (lit c_2_1))) (when (lit c_2_1) (dark c_2_1)) (when (and (lit c_2_0) (lit c_2_1)) (not (lit c_2_0))) (when (and (lit c_2_0) (lit c_2_1)) (dark c_2_0)) (when (and (lit c_2_0) (dark c_2_1)) (not (lit c_2_0))) (when (and (lit c_2_0) (dark c_2_1)) (dark c_2_0)) (when (and (lit c_1_1) (lit c_2_1)) (not (lit c_1_1))) (when (and (lit c_1_1) (lit c_2_1)) (dark c_1_1)) (when (and (lit c_1_1) (dark c_2_1)) (not (lit c_1_1))) (when (and (lit c_1_1) (dark c_2_1)) (dark c_1_1)) (when (and (lit c_2_1) (lit c_2_2)) (not (lit c_2_2))) (when (and (lit c_2_1) (lit c_2_2)) (dark c_2_2)) (when (and (lit c_2_2) (dark c_2_1)) (not (lit c_2_2))) (when (and (lit c_2_2) (dark c_2_1)) (dark c_2_2)) (when (dark c_2_1) (not (dark c_2_1))) (when (dark c_2_1) (lit c_2_1)) (when (and (lit c_2_1) (dark c_2_0)) (not (dark c_2_0))) (when (and (lit c_2_1) (dark c_2_0)) (lit c_2_0)) (when (and (dark c_2_0) (dark c_2_1)) (not (dark c_2_0))) (when (and (dark c_2_0) (dark c_2_1)) (lit c_2_0)) (when (and (lit c_2_1) (dark c_1_1)) (not (dark c_1_1))) (when (and (lit c_2_1) (dark c_1_1)) (lit c_1_1)) (when (and (dark c_1_1) (dark c_2_1)) (not (dark c_1_1))) (when (and (dark c_1_1) (dark c_2_1)) (lit c_1_1)) (when (and (lit c_2_1) (dark c_2_2)) (not (dark c_2_2))) (when (and (lit c_2_1) (dark c_2_2)) (lit c_2_2)) (when (and (dark c_2_1) (dark c_2_2)) (not (dark c_2_2))) (when (and (dark c_2_1) (dark c_2_2)) (lit c_2_2))))
 (:action pick_2_2
  :parameters ()
  :effect (and (when (lit c_2_2) (not (lit c_2_2))) (when (lit c_2_2) (dark c_2_2)) (when (and (lit c_2_1) (lit c_2_2)) (not (lit c_2_1))) (when (and (lit c_2_1) (lit c_2_2)) (dark c_2_1)) (when (and (lit c_2_1) (dark c_2_2)) (not (lit c_2_1))) (when (and (lit c_2_1) (dark c_2_2)) (dark c_2_1)) (when (and (lit c_1_2) (lit c_2_2)) (not (lit c_1_2))) (when (and (lit c_1_2) (lit c_2_2)) (dark c_1_2)) (when (and (lit c_1_2) (dark c_2_2)) (not (lit c_1_2))) (when (and (lit c_1_2) (dark c_2_2)) (dark c_1_2)) (when (dark c_2_2) (not (dark c_2_2))) (when (dark c_2_2) (lit c_2_2)) (when (and (lit c_2_2) (dark c_2_1)) (not (dark c_2_1))) (when (and (lit c_2_2) (dark c_2_1)) (lit c_2_1)) (when (and (dark c_2_1) (dark c_2_2)) (not (dark c_2_1))) (when (and (dark c_2_1) (dark c_2_2)) (lit c_2_1)) (when (and (lit c_2_2) (dark c_1_2)) (not (dark c_1_2))) (when (and (lit c_2_2) (dark c_1_2)) (lit c_1_2)) (when (and (dark c_1_2) (dark c_2_2)) (not (dark c_1_2))) (when (and (dark c_1_2) (dark c_2_2)) (lit c_1_2))))
)
(define (problem level_lights_out_first-problem)
 (:domain level_lights_out_first-domain)
 (:objects
 )
 (:init
              (dark c_0_0)
              (dark c_0_2)
              (dark c_2_0)
              (dark c_2_2)
              (lit c_0_1)
              (lit c_1_0)
              (lit c_1_1)
              (lit c_1_2)
              (lit c_2_1)
 )
 (:goal (and
           (not (lit c_0_0))
           (not (lit c_0_1))
           (not (lit c_0_2))
           (not (lit c_1_0))
           (not (lit c_1_1))
           (not (lit c_1_2))
           (not (lit c_2_0))
           (not (lit c_2_1))
           (not (lit c_2_2))
        )
 )
)
