import { JetStreamError } from '@nats-io/jetstream'
import { errors } from '@nats-io/transport-node'
import { Unavailable } from '../../../application/ports/unavailable.js'

/** No server of NATS answers, or it has no JetStream right now. Everything that it would carry is in the event store. */
export class NatsUnavailable extends Unavailable {
  override readonly name = 'NatsUnavailable'
}

const passing = [
  errors.ClosedConnectionError,
  errors.ConnectionError,
  errors.NoRespondersError,
  errors.RequestError,
  errors.TimeoutError,
  JetStreamError,
]
/** The client exports no class of it. */
const withoutJetStream = 'JetStreamNotEnabled'

/** What to tell of an error: NatsUnavailable, with the error as its cause, where NATS is not to be had; else the very error. */
export function orNatsUnavailable(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (error.name !== withoutJetStream && !passing.some((kind) => error instanceof kind)) return error
  return new NatsUnavailable(`NATS can't be had right now: ${error.message}`, { cause: error })
}
