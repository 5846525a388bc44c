import { consumerOpts, type JsMsg, type MsgHdrs, type NatsConnection } from 'nats'
import { decodeMessage, type CarriedEvent } from '../../../../adapters/bus/nats/event-message.js'
import { allEvents, streamName } from '../../../../adapters/bus/nats/subjects.js'
import { eventCatalogs } from '../../../../adapters/event-store/catalogs.js'

/** Every message that the stream holds, oldest first. */
export async function dumpStream(connection: NatsConnection): Promise<readonly JsMsg[]> {
  const { state } = await (await connection.jetstreamManager()).streams.info(streamName)
  if (state.messages === 0) return []
  const options = consumerOpts().bindStream(streamName).orderedConsumer().deliverAll()
  const messages: JsMsg[] = []
  for await (const message of await connection.jetstream().subscribe(allEvents, options)) {
    messages.push(message)
    if (message.seq >= state.last_seq) break
  }
  return messages
}

/** The events of messages, as a consumer reads them. */
export const carriedBy = (messages: readonly JsMsg[]): readonly CarriedEvent[] =>
  messages.flatMap((message) => decodeMessage(message, eventCatalogs) ?? [])

/** All that can be read of a message without opening anything. */
export const textOf = ({ subject, headers, data }: JsMsg): string =>
  [subject, ...headerLines(headers), Buffer.from(data).toString('utf8')].join('\n')

const headerLines = (headers: MsgHdrs | undefined): readonly string[] =>
  (headers?.keys() ?? []).flatMap((name) => [name, ...(headers?.values(name) ?? [])])
