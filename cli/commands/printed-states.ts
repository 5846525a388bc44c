import type { Json } from '../../application/administration/history/differences.ts'
import { nothingRevealed } from '../../application/administration/history/masked-event.ts'
import type { StreamDifference } from '../../application/administration/history/stream-differences.ts'
import type { StreamState } from '../../application/administration/history/stream-states.ts'
import type { RecordedEvent } from '../../application/ports/event-store.ts'
import { objectOfDifference, objectOfEvent } from '../../application/administration/history/objects-for-readers.ts'
import { shownEvent } from '../shown-event.ts'
import { actorText, type Print } from './printed-events.ts'

const shown = (event: RecordedEvent) => objectOfEvent(event, nothingRevealed)

/** Prints the state of a stream: for people, or as one JSON object. */
export function printState({ stream, event, state, leftOut }: StreamState, isJson: boolean, print: Print): void {
  if (isJson) return print(JSON.stringify({ stream, to: shown(event), state, left_out: leftOut }))
  const { revision, type, metadata } = event
  print(`${stream} after event ${revision}, ${type}, ${metadata.at}, by ${actorText(metadata.actor)}:`)
  print(JSON.stringify(state, null, 2))
  if (leftOut.length > 0) print(`Left out, as personal: ${leftOut.join(', ')}`)
}

/** Prints what changed between two moments: a line for each member, or one JSON object. */
export function printDifference(difference: StreamDifference, isJson: boolean, print: Print): void {
  const { stream, from, to, differences } = difference
  if (isJson) {
    const made = differences.map((difference) => objectOfDifference(difference, nothingRevealed))
    return print(JSON.stringify({ stream, from: from ? shown(from) : null, to: shown(to), differences: made }))
  }
  const start = from === undefined ? 'the beginning' : `event ${from.revision}`
  print(`${stream} from ${start} to event ${to.revision}:`)
  for (const { path, before, after, leftOut, by } of differences) {
    const change = leftOut ? '(personal)' : `${valueText(before)} → ${valueText(after)}`
    const { reason } = shownEvent(by)
    const because = reason === undefined ? '' : `, reason: ${reason}`
    print(`  ${path || '/'}: ${change}`)
    print(`       ${by.metadata.at}  ${by.type}, event ${by.revision}, by ${actorText(by.metadata.actor)}${because}`)
  }
  if (differences.length === 0) print('  Nothing differs.')
}

const valueText = (value: Json | undefined): string => (value === undefined ? 'nothing' : JSON.stringify(value))
