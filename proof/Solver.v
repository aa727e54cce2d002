(** * The solver: a search on bit masks

    It decides a deal in less than half a millisecond in Coq's virtual machine. Nothing here has to be believed:
    [Tables.v] and [Sound.v] prove that its answers follow from the rules. *)
From Coq Require Import List Uint63 PArray.
From Collapsi Require Import Rules.
Import ListNotations.
Local Open Scope uint63_scope.

(** ** Sets of cells: bit [c] of a mask stands for cell [c]. *)
Definition mask := int.
Definition int_of (c : nat) : int := of_Z (BinInt.Z.of_nat c).
Definition one (c : int) : mask := 1 << c.
Definition without (s : mask) (c : int) : mask := s land (65535 lxor (1 << c)).
Definition cells16 : list nat := seq 0 16.

(** ** Tables: arrays with an entry for each of the 65,536 masks *)
(** [fill d f b a] sets the [2^d] entries from [b * 2^d] on: entry [i] to [f i]. *)
Fixpoint fill {A : Set} (d : nat) (f : int -> A) (b : int) (a : array A) : array A :=
  match d with
  | O => a.[b <- f b]
  | S d => fill d f (2 * b + 1) (fill d f (2 * b) a)
  end.
Definition tabulate {A : Set} (zero : A) (f : int -> A) : array A := fill 16 f 0 (make 65536 zero).

(** The cells of each mask, as a list. *)
Definition lists : array (list int) :=
  let cells := map int_of cells16 in tabulate [] (fun s => filter (fun i => bit s i) cells).

(** ** Reach: from the mask of face-up cells to the mask of the cells where a walk of [n] steps can end *)
Definition neighbours (c : nat) : list nat :=
  let r := Nat.div c 4 in let k := Nat.modulo c 4 in
  [ 4 * Nat.modulo (r + 1) 4 + k; 4 * Nat.modulo (r + 3) 4 + k;
    4 * r + Nat.modulo (k + 1) 4; 4 * r + Nat.modulo (k + 3) 4 ]%nat.

Definition table := array mask.
Definition no_table : table := make 0 0.

(** A list has a table for each cell: [reach0] for no step, [reach_next ts] for one step more than [ts]. *)
Definition reach0 : list table := map (fun c => make 65536 (one (int_of c))) cells16.
Fixpoint gather (l : list (int * table)) (up : mask) : mask :=
  match l with
  | [] => 0
  | (b, t) :: l => if bit up b then gather l up lor t.[up] else gather l up
  end.
Definition reach_cell (ts : list table) (c : nat) : table :=
  let i := int_of c in
  let around := map (fun b => (int_of b, nth b ts no_table)) (neighbours c) in
  tabulate 0 (fun up => 65535 land gather around (without up i)).
Definition reach_next (ts : list table) : list table := map (reach_cell ts) cells16.

(** The walks of several numbers of steps together: the first move of the joker rules. *)
Fixpoint unite (l : list table) (up : mask) : mask :=
  match l with [] => 0 | t :: l => unite l up lor t.[up] end.
Definition reach_any (by_steps : list (list table)) (ns : list nat) : list table :=
  map (fun c => let ts := map (fun n => nth c (nth n by_steps []) no_table) ns in
                tabulate 0 (fun up => 65535 land unite ts up)) cells16.

(** All tables of a rule set, by [kind] of card. *)
Definition kind (k : card) : nat :=
  match k with RedJack | BlueJack => 0 | Ace => 1 | Two => 2 | Three => 3 | Four => 4 end.
Definition all_tables (first : list nat) : list (list table) :=
  let t0 := reach0 in let t1 := reach_next t0 in let t2 := reach_next t1 in
  let t3 := reach_next t2 in let t4 := reach_next t3 in
  [reach_any [t0; t1; t2; t3; t4] first; t1; t2; t3; t4].
Definition table_of (ts : list (list table)) (n c : nat) : table := nth c (nth n ts []) no_table.

(** The tables of a deal: for each cell, the reach of the card that lies on it. *)
Fixpoint set_rows (ts : list (list table)) (c : nat) (kinds : list nat) (a : array table) : array table :=
  match kinds with
  | [] => a
  | n :: kinds => set_rows ts (S c) kinds a.[int_of c <- table_of ts n c]
  end.
Definition rows_of (ts : list (list table)) (d : deal) : array table :=
  set_rows ts 0 (map kind d) (make 16 no_table).

(** The cells that are good to land on, as a rule: all but aces and jacks. *)
Fixpoint good_cells (c : int) (d : deal) : mask :=
  match d with
  | [] => 0
  | k :: d =>
    let others := good_cells (c + 1) d in
    match k with Two | Three | Four => (1 << c) lor others | _ => others end
  end.

(** ** The search *)
Section Search.
Variable lists : array (list int).
Variable rows : array table.
Variable good : mask.

(** The player to move can choose from the cells [answers], the opponent then from [next] without that cell.
    Does a choice leave the opponent nothing? Yes, if [next] has at most one cell, and it is an answer. *)
Notation answered next answers :=
  ((next land (next - 1)) lor (next land (65535 lxor answers)) =? 0).

(** [up]: the face-up cells without those of the pawns; [moves]: where the mover can go; [replies]: where the
    opponent can go after that, as long as the mover does not land there. Positions in which the mover wins at
    once are not searched.
    With [plies] odd the answer is whether the mover wins within [plies]; with [plies] even, whether the mover
    does not lose within [plies]. With enough plies both questions mean: does the mover win?

    The order of the moves only saves time: first those that land on a [good] cell and take a reply away, then
    those that do one of the two, then the others. *)
Fixpoint search (plies : nat) (up moves replies : mask) : bool :=
  match plies with
  | O => true
  | S plies =>
    let try := fix try (l : list int) : bool :=
      match l with
      | [] => false
      | e :: l =>
        let others := 65535 lxor (1 << e) in
        let answers := replies land others in
        let next := rows.[e].[up] in
        if answered next answers then try l
        else if search plies (up land others) answers next then try l
        else true
      end in
    if try lists.[moves land (replies land good)] then true
    else if try lists.[moves land (replies lxor good)] then true
    else try lists.[moves land (65535 lxor (replies lor good))]
  end.

Definition search_deal (plies : nat) (red blue : int) : bool :=
  let up := without 65535 red in
  let moves := without rows.[red].[65535] blue in
  let replies := rows.[blue].[up] in
  if moves =? 0 then false
  else if answered replies moves then true
  else search plies (without up blue) moves replies.
End Search.
