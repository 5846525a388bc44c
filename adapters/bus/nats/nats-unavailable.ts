import { JetStreamError } from '@nats-io/jetstream'
import { errors } from '@nats-io/transport-node'
import { Unavailable } from '../../../application/failures/unavailable.ts'

/** No NATS server answers, or JetStream is not available right now. All events that NATS would carry are in the event store. */
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
/** The client exports no class for this error. */
const withoutJetStream = 'JetStreamNotEnabled'

/** The error to report: NatsUnavailable, with the error as its cause, if NATS is unavailable; otherwise the error itself. */
export function orNatsUnavailable(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (error.name !== withoutJetStream && !passing.some((kind) => error instanceof kind)) return error
  return new NatsUnavailable(`NATS can't be had right now: ${error.message}`, { cause: error })
}
