use super::super::sources;
use super::*;

const CASES: [&str; 2] = ["svi-7-busy", "grc-1909-1"];

fn changed(change: &str) -> Alternative {
    Alternative::of([change.parse().unwrap()])
}

fn three() -> Vec<Alternative> {
    let changes = ["due-time=precise", "lattice=powers-of-two"];
    let mut alternatives: Vec<_> = changes.map(changed).into();
    alternatives.push(Alternative::default());
    alternatives
}

fn scored(
    alternatives: Vec<Alternative>,
    progress: &(dyn Fn(usize) -> ControlFlow<()> + Sync),
) -> Scores {
    let sources = sources();
    let cases = sources.iter().flat_map(|source| &source.case);
    let cases: Vec<_> = cases
        .filter(|case| CASES.contains(&case.id.as_str()))
        .collect();
    score(alternatives, &cases, progress)
}

#[test]
fn a_row_has_an_answer_for_every_statement_that_was_asked() {
    let scores = scored(three(), &|_| ControlFlow::Continue(()));
    assert_eq!((scores.wanted, scores.rows.len()), (3, 3));
    let cases: Vec<_> = scores.asked.iter().map(|asked| &asked.case).collect();
    assert!(CASES.iter().all(|id| cases.contains(&&(*id).to_owned())));
    for row in &scores.rows {
        assert_eq!(row.answers.len(), scores.asked.len());
        assert!(row.answers.iter().all(|answer| !answer.found.is_empty()));
    }
}

#[test]
fn the_rules_as_they_are_survive_and_come_first() {
    let scores = scored(three(), &|_| ControlFlow::Continue(()));
    let survivors: Vec<_> = scores.survivors().collect();
    assert_eq!(survivors.len(), 1);
    assert_eq!(survivors[0].alternative.to_string(), "as they are");
    let ranked = scores.ranked();
    assert_eq!(ranked[0], survivors[0]);
    assert!(ranked.is_sorted_by_key(|row| row.failures()));
    let fails_busy = |row: &Row| {
        let mut pairs = scores.asked.iter().zip(&row.answers);
        pairs.any(|(asked, answer)| asked.case == "svi-7-busy" && !answer.holds)
    };
    assert!(fails_busy(&scores.rows[0]) && !fails_busy(&scores.rows[2]));
}

#[test]
fn a_search_that_is_stopped_keeps_whole_rows_only() {
    /// More than any machine has processors, each of which may finish a piece.
    const MANY: usize = 100_000;
    let stop = |_| ControlFlow::Break(());
    let scores = scored(vec![Alternative::default(); MANY], &stop);
    assert_eq!(scores.wanted, MANY);
    assert!(scores.rows.len() < MANY);
    let whole = |row: &Row| row.answers.len() == scores.asked.len();
    assert!(scores.rows.iter().all(whole));
}
