(define (domain level_psychopath_2_first-domain)
 (:requirements :strips :typing :negative-preconditions :disjunctive-preconditions)
 (:types location direction)
 (:predicates
             (hole ?l0 - location)
             (movable ?l0 - location)
             (player ?l0 - location)
             (adjacent ?d0 - direction ?l1 - location ?l2 - location)
             (gate_any ?l0 - location)
             (gate ?l0 - location ?d1 - direction)
             (block ?l0 - location)
 )
 (:action fill
  :parameters ( ?d - direction ?here - location ?ahead - location ?ahead_ahead - location)
  :precondition (and (adjacent ?d ?here ?ahead) (adjacent ?d ?ahead ?ahead_ahead) (player ?here) (movable ?ahead) (hole ?ahead_ahead) (or (not (gate_any ?ahead)) (gate ?ahead ?d)))
  :effect (and (not (hole ?ahead_ahead)) (not (movable ?ahead)) (not (player ?here)) (player ?ahead)))
 (:action push
  :parameters ( ?d - direction ?here - location ?ahead - location ?ahead_ahead - location)
  :precondition (and (adjacent ?d ?here ?ahead) (adjacent ?d ?ahead ?ahead_ahead) (player ?here) (movable ?ahead) (not (block ?ahead_ahead)) (not (movable ?ahead_ahead)) (or (not (gate_any ?ahead)) (gate ?ahead ?d)) (not (hole ?ahead_ahead)) (or (not (gate_any ?ahead_ahead)) (gate ?ahead_ahead ?d)))
  :effect (and (not (movable ?ahead)) (not (player ?here)) (movable ?ahead_ahead) (player ?ahead)))
 (:action step
  :parameters ( ?d - direction ?here - location ?ahead - location)
  :precondition (and (adjacent ?d ?here ?ahead) (player ?here) (not (hole ?ahead)) (not (block ?ahead)) (not (movable ?ahead)) (or (not (gate_any ?ahead)) (gate ?ahead ?d)))
  :effect (and (not (player ?here)) (player ?ahead)))
)
(define (problem level_psychopath_2_first-problem)
 (:domain level_psychopath_2_first-domain)
 (:objects
   c_0_0 c_0_1 c_0_2 c_0_3 c_0_4 - location
   up right down left - direction
 )
 (:init
              (adjacent left c_0_1 c_0_0)
              (adjacent left c_0_2 c_0_1)
              (adjacent left c_0_3 c_0_2)
              (adjacent left c_0_4 c_0_3)
              (adjacent right c_0_0 c_0_1)
              (adjacent right c_0_1 c_0_2)
              (adjacent right c_0_2 c_0_3)
              (adjacent right c_0_3 c_0_4)
              (hole c_0_3)
              (movable c_0_2)
              (player c_0_0)
 )
 (:goal (and
           (player c_0_4)
        )
 )
)
