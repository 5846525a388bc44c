import type { EntryId } from '../../../domain/ids/ids.ts'
import { errorCodes, type ErrorCode } from '../../../domain/kernel/error-codes.ts'
import type { Ports } from '../../ports.ts'
import type { RecordedEvent } from '../../ports/event-store.ts'
import type { HistoryEventObject } from '../../wire-objects/administration/history-objects.ts'

/** How a request was answered, as far as history tells. */
export type RequestAnswer = 'success' | 'refused' | 'interrupted'

/** A request, or an act of the system, that a chain began with. */
export interface ExplainedRequestObject {
  readonly id: string
  /** The X-Request-ID that its client chose. */
  readonly client_request_id: string | null
  /** Null where no event of the chain names it. */
  readonly operation: string | null
  readonly actor: HistoryEventObject['actor']
  readonly at: string
  /** The address that it came from. Null where no event of it has one, and where it is left out. */
  readonly address: string | null
  /** Null where the admin audit log has no entry for it. */
  readonly answer: RequestAnswer | null
  /** The HTTP status of the answer; null where neither the operation nor the code of the refusal tells it. */
  readonly status: number | null
  /** The code of the refusal. */
  readonly code: ErrorCode | null
  readonly audit_log_ids: readonly EntryId[]
  /** What of these members is personal and not shown. */
  readonly left_out: readonly 'address'[]
}

/** An event of a chain as the store has it, and as it is shown. */
export interface ReadAndShown {
  readonly event: RecordedEvent
  readonly shown: HistoryEventObject
}

/** What is known of the request that the first of these events belongs to. */
export function explainedRequest(
  { successStatusOf }: Pick<Ports, 'successStatusOf'>,
  first: HistoryEventObject,
  chain: readonly ReadAndShown[],
): Omit<ExplainedRequestObject, 'audit_log_ids'> {
  const { correlation_id, client_request_id, actor, at } = first
  const operation = chain.find(({ shown }) => shown.operation !== null)?.shown.operation ?? null
  const { answer, code } = answerIn(chain)
  const status = operation === null ? null : statusOf(answer, code, successStatusOf(operation))
  return { id: correlation_id, client_request_id, operation, actor, at, answer, status, code, ...addressIn(chain) }
}

/**
 * What the admin audit log says of a request: its entry is recorded once it has succeeded, and for one whose process died the system
 * records an entry that says so. Other requests leave no record of their answer.
 */
function answerIn(chain: readonly ReadAndShown[]): Pick<ExplainedRequestObject, 'answer' | 'code'> {
  for (const { event } of chain) {
    // The type of an event determines its data.
    if (event.type === 'AdminActionRefused') {
      const { code = null } = event.data as { readonly code?: ErrorCode }
      return { answer: 'refused', code }
    }
    if (event.type !== 'AdminActionRecorded') continue
    const { metadata } = event.data as { readonly metadata: Readonly<Record<string, string>> }
    return { answer: metadata['interrupted'] === 'true' ? 'interrupted' : 'success', code: null }
  }
  return { answer: null, code: null }
}

/** An interrupted request was answered by nobody. */
function statusOf(answer: RequestAnswer | null, code: ErrorCode | null, success: number | undefined): number | null {
  if (answer === 'success') return success ?? null
  return code === null ? null : errorCodes[code]
}

/**
 * The address of a request that began a session for its own device: sessions are all that records addresses of requests. Events that
 * name no operation are of versions that did not tell whose device a session was for. Left out exactly where its event leaves it out.
 */
function addressIn(chain: readonly ReadAndShown[]): Pick<ExplainedRequestObject, 'address' | 'left_out'> {
  const began = chain.find(
    ({ event: { type, data }, shown }) =>
      type === 'SessionStarted' && shown.operation !== null && !('forOtherDevice' in data),
  )?.shown
  const address = began?.data['ip']
  return {
    address: typeof address === 'string' ? address : null,
    left_out: began?.left_out.includes('ip') === true ? ['address'] : [],
  }
}
