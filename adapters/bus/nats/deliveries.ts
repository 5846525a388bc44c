import { consumerOpts, type JetStreamSubscription, type NatsConnection } from 'nats'
import { decodeMessage, type CarriedEvent } from './event-message.js'
import { isMissing } from './event-stream.js'
import type { EventCatalogs } from './public-event.js'
import { pause } from '../../../application/waiting/waiting.js'
import { retryDelay_ms } from './retry-delay.js'
import { allEvents, streamName } from './subjects.js'

const answer_ms_max = 2000

/** Brings events from now on, though it may lose, repeat and swap them. */
export type Deliveries = (receive: (carried: CarriedEvent) => void) => {
  /** Starts anew, since nothing comes any more. */
  renew(): void
  stop(): Promise<void>
}

export interface NatsDeliveriesSettings {
  readonly connection: NatsConnection
  readonly catalogs: EventCatalogs
  readonly onError: (error: unknown) => void
}

/**
 * All events of the stream, by an ordered consumer that is made anew, with bounded pauses, whenever it breaks.
 * Who is to hear of some guilds only needs another subject here, and a chain of each subject in the messages.
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
      const subscription = await subscribe(settings, receive, () => broken.abort())
      failures = 0
      onSubscribed(broken)
      await ended(subscription, AbortSignal.any([stopping, broken.signal]))
    } catch (error) {
      // The publisher makes the stream, and tells where it can't.
      if (!stopping.aborted && !isMissing(error)) settings.onError(error)
    }
    await pause(retryDelay_ms(failures), stopping)
  }
}

function subscribe(
  { connection, catalogs, onError }: NatsDeliveriesSettings,
  receive: (carried: CarriedEvent) => void,
  onBroken: () => void,
): Promise<JetStreamSubscription> {
  const options = consumerOpts()
    .bindStream(streamName)
    .orderedConsumer()
    .deliverNew()
    .callback((error, message) => {
      if (error) {
        onError(error)
        onBroken()
        return
      }
      const carried = message && decodeMessage(message, catalogs)
      if (carried) receive(carried)
    })
  return connection.jetstream({ timeout: answer_ms_max }).subscribe(allEvents, options)
}

/** Resolves once the subscription is over, by itself or by the signal. The server drops a consumer that nobody listens to. */
async function ended(subscription: JetStreamSubscription, signal: AbortSignal): Promise<void> {
  const end = (): void => subscription.unsubscribe()
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  await subscription.closed
  signal.removeEventListener('abort', end)
}
