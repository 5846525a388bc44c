import type { Moment } from '../../application/administration/history/moments.ts'
import { nothingRevealed } from '../../application/administration/history/masked-event.ts'
import { streamDifference } from '../../application/administration/history/stream-differences.ts'
import { stateAt, type HistoryEvents } from '../../application/administration/history/stream-states.ts'
import { momentInput } from '../../adapters/http/schemas/administration/history.ts'
import type { EventStore } from '../../application/ports/event-store.ts'
import { beforeAll, noStream, type Position } from '../../domain/kernel/position.ts'
import { categories } from '../../domain/aggregates.ts'
import { categoryOf, type StreamName } from '../../domain/streams.ts'
import { interruptible } from '../interruptible.ts'
import { besideServer } from './beside.ts'
import { eventsBehind } from './events-behind.ts'
import { followed, printEvent, printJsonEvent, type Print } from './printed-events.ts'
import { printDifference, printState } from './printed-states.ts'
import { unlessRefused } from './refused-moments.ts'

export interface HistoryOptions {
  /** A revision or an instant: the state then, instead of the events. */
  readonly at?: string
  /** Two moments as in `3..7`, or one: what changed between them, or since. */
  readonly diff?: string
  readonly json?: boolean
  /** Whether to go on with new events until the command is interrupted. */
  readonly follow?: boolean
}

/**
 * Prints the events of a stream, oldest first, each with its actor and its cause; or its state at a moment, or what changed between
 * two. Before a join it prints how the join came about, from the invite to its redemption. Leaves out personal members and reasons.
 */
export async function history(name: string, options: HistoryOptions, print: Print): Promise<void> {
  const stream = streamNamed(name)
  if ([options.at, options.diff, options.follow].filter((option) => option !== undefined).length > 1)
    throw new Error('--at, --diff and --follow exclude each other')
  const isJson = options.json === true
  const nothing = `Nothing has happened in ${name}.`
  await besideServer(async ({ events }) => {
    if (options.at !== undefined) {
      const moment = momentOf(options.at, '--at')
      return printState(await unlessRefused(stateAt(reading(events), stream, moment), nothing), isJson, print)
    }
    if (options.diff !== undefined) {
      const between = betweenMoments(options.diff)
      return printDifference(
        await unlessRefused(streamDifference(reading(events), stream, between), nothing),
        isJson,
        print,
      )
    }
    const last = await (isJson ? printLines(events, stream, print) : printHistory(events, stream, print))
    if (options.follow !== true) return
    await interruptible((signal) => followed({ events, after: last, stream, isJson, signal }, print))
  })
}

const reading = (events: HistoryEvents) => ({ events, revealed: nothingRevealed })

/** The events of an open store's stream, for people. Gives the position of the last one. */
export async function printHistory(
  events: Pick<EventStore, 'readStream'>,
  stream: StreamName,
  print: Print,
): Promise<Position> {
  let count = 0
  let last = beforeAll
  for await (const page of events.readStream(stream, noStream)) {
    for (const event of page) {
      for (const behind of await eventsBehind(events, event)) printEvent(behind, print, behind.stream)
      printEvent(event, print)
      last = event.position
    }
    count += page.length
  }
  print(count === 0 ? `Nothing has happened in ${stream}.` : `${count} ${count === 1 ? 'event' : 'events'}.`)
  return last
}

/** The same as JSON lines, each as the Admin API has an event. */
async function printLines(events: HistoryEvents, stream: StreamName, print: Print): Promise<Position> {
  let last = beforeAll
  for await (const page of events.readStream(stream, noStream)) {
    for (const event of page) {
      printJsonEvent(event, print)
      last = event.position
    }
  }
  return last
}

function streamNamed(name: string): StreamName {
  if (categoryOf(name)) return name as StreamName
  throw new Error(
    `${name} is not a stream: a stream is named <category>-<id>, and the categories are ${categories.join(', ')}`,
  )
}

function momentOf(text: string, option: string): Moment {
  const parsed = momentInput.safeParse(text)
  if (parsed.success) return parsed.data
  throw new Error(`${option} takes the number of an event from 0, or an instant as in 2030-01-31T12:00Z, not ${text}`)
}

function betweenMoments(text: string): { readonly from: Moment; readonly to: Moment } {
  const [from = '', to = ''] = text.split('..', 2)
  return { from: momentOf(from, '--diff'), to: to === '' ? { by: 'end' } : momentOf(to, '--diff') }
}
