import { jetstream, jetstreamManager, type ConsumerMessages, type PushConsumer } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { decodeMessage, type CarriedEvent } from './event-message.ts'
import { isMissing } from './event-stream.ts'
import type { EventCatalogs } from '../../../domain/aggregates.ts'
import { pause } from '../../../application/concurrency/pauses.ts'
import { retryDelay_ms } from './retry-delay.ts'
import { streamName } from './subjects.ts'

const answer_ms_max = 2000

/** Delivers events from now on. It may lose, repeat and reorder them. */
export type Deliveries = (receive: (carried: CarriedEvent) => void) => {
  /** Starts a new consumer, because nothing arrives any more. */
  renew(): void
  stop(): Promise<void>
}

export interface NatsDeliveriesSettings {
  readonly connection: NatsConnection
  readonly catalogs: EventCatalogs
  readonly onError: (error: unknown) => void
}

/**
 * All events of the stream, through an ordered consumer that is remade, with bounded pauses, whenever it breaks. To hear of
 * some guilds only, this would need another subject here, and messages that name the event before them in their own subject.
 */
export function natsDeliveries(settings: NatsDeliveriesSettings): Deliveries {
  return (receive) => {
    const stopping = new AbortController()
    let subscribed: AbortController | undefined
    const ended = keepSubscribed(settings, receive, stopping.signal, (current) => (subscribed = current))
    return {
      renew: () => subscribed?.abort(),
      async stop() {
        stopping.abort()
        await ended
      },
    }
  }
}

async function keepSubscribed(
  settings: NatsDeliveriesSettings,
  receive: (carried: CarriedEvent) => void,
  stopping: AbortSignal,
  onSubscribed: (subscribed: AbortController) => void,
): Promise<void> {
  for (let failures = 0; !stopping.aborted; failures++) {
    const broken = new AbortController()
    try {
      const consumer = await newestConsumer(settings)
      failures = 0
      onSubscribed(broken)
      await consume(settings, consumer, receive, AbortSignal.any([stopping, broken.signal]))
    } catch (error) {
      // The publisher makes the stream, and reports it if it can't.
      if (!stopping.aborted && !isMissing(error)) settings.onError(error)
    }
    await pause(retryDelay_ms(failures), stopping)
  }
}

/**
 * A consumer of the messages from now on. It starts at a sequence number, because the client may remake it before the first
 * message: one that starts at "new" would then begin at the first message of the stream.
 */
async function newestConsumer({ connection }: NatsDeliveriesSettings): Promise<PushConsumer> {
  const options = { timeout: answer_ms_max, checkAPI: false }
  const manager = await jetstreamManager(connection, options)
  const { state } = await manager.streams.info(streamName)
  return jetstream(connection, options).consumers.getPushConsumer(streamName, { opt_start_seq: state.last_seq + 1 })
}

/** Resolves once the consumer is over: it ended, the signal aborted, or the server no longer has it. */
async function consume(
  { catalogs, onError }: NatsDeliveriesSettings,
  consumer: PushConsumer,
  receive: (carried: CarriedEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const messages = await consumer.consume({
    callback: (message) => {
      try {
        const carried = decodeMessage(message, catalogs)
        if (carried) receive(carried)
      } catch (error) {
        onError(error)
      }
    },
  })
  const end = (): void => messages.stop()
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  void endWithServer(messages).catch(onError)
  const failure = await messages.closed()
  signal.removeEventListener('abort', end)
  // The server would keep it for minutes otherwise. This request can fail.
  consumer.delete().catch(() => undefined)
  if (failure instanceof Error) throw failure
}

/** Stops when the server reports that the consumer or stream does not exist. The client would keep waiting. */
async function endWithServer(messages: ConsumerMessages): Promise<void> {
  for await (const { type } of messages.status())
    if (type === 'consumer_deleted' || type === 'stream_not_found') messages.stop()
}
