(** * The rules of Collapsi, and what is proved about them

    This file is the whole statement, and each [Definition] below names a part of it. `make proof` ends with
    theorems that say exactly [claim], [claim_anywhere], [claim_lengths] and [claim_joker]; Coq checks them.
    To read it: [exists] "there is", [forall] "for all", [/\] "and", [\/] "or" (which binds weaker), [~] "not",
    [<>] "is not", [A -> B] "if A then B", [<->] "exactly if"; [x :: l] is the list [l] with [x] put in front,
    and lists count from 0. [nat] and [N] are both 0, 1, 2 …; [N] computes large numbers quickly. *)
From Coq Require Import List Arith NArith Permutation.
Import ListNotations.
(** ** The board: 4 × 4 cells, numbered 0 to 15 in reading order. It wraps around in both directions: in a row
    or column, 3 is next to 0. Larger numbers never occur: a walk stays on face-up cells, at first 0 to 15. *)
Definition cell := nat.
Definition row (c : cell) := c / 4.   Definition column (c : cell) := c mod 4.
Definition next_to (x y : nat) := y = (x + 1) mod 4 \/ x = (y + 1) mod 4.
Definition adjacent (a b : cell) :=
  row a = row b /\ next_to (column a) (column b) \/ column a = column b /\ next_to (row a) (row b).
(** ** The cards (suits mean nothing). A deal is any order of the deck; item [c] of the list lies on cell [c]. *)
Inductive card := RedJack | BlueJack | Ace | Two | Three | Four.
Definition deck : list card :=
  [RedJack; BlueJack; Ace; Ace; Ace; Ace; Two; Two; Two; Two; Three; Three; Three; Three; Four; Four].
Definition deal := list card.
Definition is_deal (d : deal) := Permutation deck d.   (* the same cards, each as often, in any order *)
Definition lies (d : deal) (c : cell) (k : card) := nth_error d c = Some k.   (* cell [c] has card [k] *)
(** ** Rule sets differ in how many steps lead away from a jack. That is each player's first move and no other:
    the own jack collapses when it is left, and the opponent's is occupied until then. *)
Definition standard := [1].         (* rule sheet 1.2 and later *)
Definition joker := [1; 2; 3; 4].   (* earlier rule sheets: the player chooses *)
Definition steps (first : list nat) (k : card) : list nat :=
  match k with RedJack | BlueJack => first | Ace => [1] | Two => [2] | Three => [3] | Four => [4] end.
(** ** Moves. A position is the face-up cells and the cells of the two pawns. *)
Record position := { face_up : list cell; mover : cell; other : cell }.
(** [path a via e]: a walk from neighbour to neighbour, with turns, from [a] to [e]. [via] lists the cells
    that it enters, so without [a] and with [e]: one cell a step. There are no paths but by these two cases. *)
Inductive path : cell -> list cell -> cell -> Prop :=
| arrived a : path a [] a
| step a b via e : adjacent a b -> path b via e -> path a (b :: via) e.
Section Game.   (* Up to [End Game] all depends on these two; later it is written [red_wins first d]: *)
Variables (first : list nat) (d : deal).   (* any rule set, any deal *)
(** As many steps as the card says, all ([Forall]) to face-up cells, no cell twice ([NoDup]) nor the start. *)
Definition reachable (up : list cell) (a e : cell) :=
  exists k via, lies d a k /\ In (length via) (steps first k) /\ path a via e /\
                NoDup (a :: via) /\ Forall (fun c => In c up) via.
(** A move may pass over the other pawn, but not end on it. The card that is left, and it alone, collapses. *)
Definition legal (p : position) (e : cell) := reachable (face_up p) (mover p) e /\ e <> other p.
Definition after (p : position) (e : cell) : position :=
  {| face_up := remove Nat.eq_dec (mover p) (face_up p); mover := other p; other := e |}.
(** ** Winning, if both play perfectly. [wins_within n p]: the player to move can force a win in at most [n]
    moves, counting both players. [loses_within n p]: the other player can. [S m] is m + 1. At 0 the latter
    says that every legal move leads to [False], so there is none: a player who cannot move loses. *)
Fixpoint wins_within (n : nat) (p : position) : Prop :=
  match n with 0 => False | S m => exists e, legal p e /\ loses_within m (after p e) end
with loses_within (n : nat) (p : position) : Prop :=
  forall e, legal p e -> match n with 0 => False | S m => wins_within m (after p e) end.
(** Each pawn starts on its jack, all 16 cards (0, 1, … 15) are face up, and red moves first. *)
Definition start (red blue : cell) := {| face_up := seq 0 16; mover := red; other := blue |}.
Definition red_wins_within n := exists r b, lies d r RedJack /\ lies d b BlueJack /\ wins_within n (start r b).
Definition blue_wins_within n := exists r b, lies d r RedJack /\ lies d b BlueJack /\ loses_within n (start r b).
Definition red_wins := exists n, red_wins_within n.
Definition blue_wins := exists n, blue_wins_within n.
(** [lasts n]: a win can be forced in [n] moves, not in fewer: the winner hurries, the loser delays. *)
Definition lasts n := (red_wins_within n \/ blue_wins_within n) /\
  forall m, m < n -> ~ (red_wins_within m \/ blue_wins_within m).
End Game.
(** ** What is counted: all deals, or those with red's jack in the corner (any cell will do, as it wraps). *)
Definition is_corner_deal (d : deal) := is_deal d /\ lies d 0 RedJack.
(** Exactly [n] things have the property [P]: a list has them all, nothing else, none twice, and is [n] long. *)
Definition size {A} (P : A -> Prop) (n : N) :=
  exists l : list A, NoDup l /\ (forall x, In x l <-> P x) /\ N.of_nat (length l) = n.
Definition winners first (among : deal -> Prop) (red blue : N) :=
  size (fun d => among d /\ red_wins first d) red /\ size (fun d => among d /\ blue_wins first d) blue.
(** ** The claims: how many deals red wins and how many blue (never both: [not_both] in Sound.v), and how many
    last 0, 1, 2 … moves ([nth n list 0]: item [n], or 0 after the end of the list; [%N]: as numbers [N]). *)
Definition claim := size is_corner_deal 47297250 /\ winners standard is_corner_deal 36752487 10544763.
Definition claim_anywhere := size is_deal 756756000 /\ winners standard is_deal 588039792 168716208.
Definition claim_joker := winners joker is_corner_deal 17721000 29576250.
Definition claim_lengths := forall n, size (fun d => is_corner_deal d /\ lasts standard d n) (nth n
  [0; 0; 0; 0; 0; 0; 0; 525; 9705; 641520; 1248372; 19830630; 7652868; 16279812; 1633818] 0)%N.
