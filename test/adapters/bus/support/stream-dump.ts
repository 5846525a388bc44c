import { jetstream, jetstreamManager, type JsMsg } from '@nats-io/jetstream'
import type { MsgHdrs, NatsConnection } from '@nats-io/transport-node'
import { decodeMessage, type CarriedEvent } from '../../../../adapters/bus/nats/event-message.ts'
import { streamName } from '../../../../adapters/bus/nats/subjects.ts'
import { eventCatalogs } from '../../../../domain/aggregates.ts'

/** Every message in the stream, oldest first. */
export async function dumpStream(connection: NatsConnection): Promise<readonly JsMsg[]> {
  const { state } = await (await jetstreamManager(connection)).streams.info(streamName)
  if (state.messages === 0) return []
  const consumer = await jetstream(connection).consumers.get(streamName)
  const messages: JsMsg[] = []
  for await (const message of await consumer.consume()) {
    messages.push(message)
    if (message.seq >= state.last_seq) break
  }
  return messages
}

/** The events of messages, as a consumer reads them. */
export const carriedBy = (messages: readonly JsMsg[]): readonly CarriedEvent[] =>
  messages.flatMap((message) => decodeMessage(message, eventCatalogs) ?? [])

/** Everything in a message that can be read without a key. */
export const textOf = ({ subject, headers, data }: JsMsg): string =>
  [subject, ...headerLines(headers), Buffer.from(data).toString('utf8')].join('\n')

const headerLines = (headers: MsgHdrs | undefined): readonly string[] =>
  (headers?.keys() ?? []).flatMap((name) => [name, ...(headers?.values(name) ?? [])])
