(** * The joker rules

    What has to be computed for the claim about the joker rules. *)
From Coq Require Import List Arith NArith Lia Permutation Uint63 PArray Bool.
From Collapsi Require Import Rules Solver Tables Sound Count Symmetry Census.
Import ListNotations.
Open Scope N_scope.

Definition part_joker (cards : list card) (left : bag) : N :=
  tally_promising (red_leaf joker_tables lists) 12 left cards 0.

Theorem joker_by_parts :
  tally (fun _ => 1) 15 rest [RedJack] 0 = 47297250 ->
  total (fun p => part_joker (fst p) (snd p)) (prefixes 3 [RedJack] rest) = 17721000 -> claim_joker.
Proof.
  intros HA HR. exact (proj2 (census joker joker_steps joker_tables (all_tables_ok joker joker_steps)
    lists lists_get 47297250 17721000 HA HR)).
Qed.
