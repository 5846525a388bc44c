import { factsOf } from '../history-facts.ts'
import { compareWithHistory } from '../ledger-checks.ts'
import { divergentRows, wholeHistory } from '../store-checks.ts'
import type { Store } from '../../../process/store.ts'
import { noteFault } from '../../support/fault-table.ts'
import { factsFor, hearingFaults, noHearingFaults, sumOfFaults, type HearingFaults } from './watched-facts.ts'
import type { WatchedGuilds } from './watched-guilds.ts'

/** The faults of the whole product: against what clients were told, in the read models, and in what sessions heard. */
export interface ProductFindings {
  readonly lostCommands: readonly string[]
  readonly repeatedCommands: readonly string[]
  readonly unexpected: readonly string[]
  readonly divergent: readonly string[]
  /** For all sessions together. */
  readonly heard: HearingFaults
  /** Sessions that had to start again, since the Gateway could not replay what they missed. */
  readonly restarted: number
}

export const nothingWrong: ProductFindings = {
  lostCommands: [],
  repeatedCommands: [],
  unexpected: [],
  divergent: [],
  heard: noHearingFaults,
  restarted: 0,
}

/** How much was checked: a row that checked almost nothing proves nothing. */
export interface Extent {
  readonly commands: number
  readonly retried: number
  readonly events: number
  /** Facts that each session of the owner heard. */
  readonly facts: number
}

/** Checks everything, once all is quiet and every session has heard a last mark. */
export async function productFindings(
  guilds: WatchedGuilds,
  store: Store,
): Promise<{ readonly findings: ProductFindings; readonly extent: Extent }> {
  const events = await wholeHistory(store)
  const { lost, repeated, unexpected } = compareWithHistory(guilds.entries, factsOf(events))
  const since = events.filter(({ position }) => position > guilds.start)
  const heard = guilds.watchers.map(({ watcher, session }) => hearingFaults(session.lives, factsFor(watcher, since)))
  return {
    findings: {
      lostCommands: lost,
      repeatedCommands: repeated,
      unexpected,
      divergent: await divergentRows(store),
      heard: sumOfFaults(heard),
      restarted: guilds.watchers.reduce((sum, { session }) => sum + session.lives.length - 1, 0),
    },
    extent: {
      commands: guilds.entries.length,
      retried: guilds.entries.filter(({ attempts }) => attempts > 1).length,
      events: since.length,
      facts: Math.min(
        ...guilds.watchers
          .filter(({ watcher }) => watcher.isOwner)
          .map(({ session }) => session.lives.reduce((sum, { facts }) => sum + facts.length, 0)),
      ),
    },
  }
}

export interface FaultRun {
  readonly title: string
  readonly runs: number
  readonly recovered_ms: number
  readonly note?: string
}

/** Adds a row to the fault table. Misnumbered dispatches count as reordered, unknown facts as repeated. */
export function noteFindings(
  row: string,
  { title, runs, recovered_ms, note }: FaultRun,
  { findings, extent }: { readonly findings: ProductFindings; readonly extent: Extent },
): void {
  const { heard } = findings
  const seen = `${extent.commands} commands, ${extent.facts} facts a session`
  noteFault(row, {
    title,
    runs,
    lost: findings.lostCommands.length + heard.lost,
    repeated: findings.repeatedCommands.length + findings.unexpected.length + heard.repeated + heard.unknown,
    reordered: heard.reordered + heard.misnumbered,
    divergent: findings.divergent.length,
    stuck_s: recovered_ms / 1000,
    note: note === undefined ? seen : `${seen}; ${note}`,
  })
}
