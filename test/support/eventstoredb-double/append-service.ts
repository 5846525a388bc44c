import { setTimeout as wait } from 'node:timers/promises'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import statuses from '@eventstore/db-client/generated/status_pb.js'
import messages from '@eventstore/db-client/generated/streams_pb.js'
import type { handleBidiStreamingCall, handleClientStreamingCall } from '@grpc/grpc-js'
import anys from 'google-protobuf/google/protobuf/any_pb.js'
import empties from 'google-protobuf/google/protobuf/empty_pb.js'
import type { Faults } from './faults.ts'
import { notLeader, notReady } from './not-leader.ts'
import type { Commit, DoubleLog, Expected, Proposed } from './log.ts'

interface AppendParts {
  readonly log: DoubleLog
  readonly faults: Faults
  /** Resets every connection. */
  readonly reset: () => void
}

interface Append {
  readonly stream: string
  readonly expected: Expected
  readonly events: readonly Proposed[]
}

type Applied = Commit | { readonly outcome: 'reset' } | { readonly outcome: 'too large' }

async function apply({ log, faults, reset }: AppendParts, { stream, expected, events }: Append): Promise<Applied> {
  const fault = faults.reset()
  if (fault === 'before') reset()
  if (fault === 'before') return { outcome: 'reset' }
  const size = events.reduce(
    (sum, { type, data, metadata }) => sum + data.length + metadata.length + 2 * type.length,
    0,
  )
  if (size > faults.appendSize_max) return { outcome: 'too large' }
  const commit = log.commit(stream, expected, events)
  if (fault === 'after') reset()
  if (fault === 'after') return { outcome: 'reset' }
  if (faults.answerDelay_ms > 0) await wait(faults.answerDelay_ms)
  return commit
}

interface ProposedMessage {
  getId(): shared.UUID | undefined
  getMetadataMap(): { get(key: string): string | undefined }
  getData_asU8(): Uint8Array
  getCustomMetadata_asU8(): Uint8Array
}

const proposed = (message: ProposedMessage): Proposed => ({
  id: message.getId()?.getString() ?? '',
  type: message.getMetadataMap().get('type') ?? '',
  contentType: message.getMetadataMap().get('content-type') ?? '',
  data: message.getData_asU8(),
  metadata: message.getCustomMetadata_asU8(),
})

export const nameOf = (identifier: shared.StreamIdentifier | undefined): string =>
  Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8')

/** The RPC Append: one append in each call. */
export function appendHandler(parts: AppendParts): handleClientStreamingCall<messages.AppendReq, messages.AppendResp> {
  return (call, callback) => {
    let options: messages.AppendReq.Options | undefined
    const events: Proposed[] = []
    call.on('data', (request: messages.AppendReq) => {
      const message = request.getProposedMessage()
      if (message) events.push(proposed(message))
      else options = request.getOptions()
    })
    const answer = async (): Promise<void> => {
      await parts.faults.working()
      const revision = options?.hasRevision() ? Number(options.getRevision()) : undefined
      const expected = revision ?? named(options?.hasNoStream(), options?.hasStreamExists())
      const applied = await apply(parts, { stream: nameOf(options?.getStreamIdentifier()), expected, events })
      if (applied.outcome === 'too large') callback({ code: 3, details: 'Maximum Append Size Exceeded.' })
      else if (applied.outcome !== 'reset') callback(null, appendAnswer(applied))
    }
    call.on('end', () => void answer())
  }
}

const named = (noStream: boolean | undefined, streamExists: boolean | undefined): Expected =>
  noStream ? 'no_stream' : streamExists ? 'stream_exists' : 'any'

function appendAnswer(commit: Commit): messages.AppendResp {
  const answer = new messages.AppendResp()
  if (commit.outcome === 'wrong revision') {
    const wrong = new messages.AppendResp.WrongExpectedVersion()
    if (commit.current < 0) wrong.setCurrentNoStream(new shared.Empty())
    else wrong.setCurrentRevision(String(commit.current))
    return answer.setWrongExpectedVersion(wrong.setExpectedAny(new shared.Empty()))
  }
  const position = String(commit.last.position)
  const at = new messages.AppendResp.Position().setCommitPosition(position).setPreparePosition(position)
  const success = new messages.AppendResp.Success().setCurrentRevision(String(commit.last.revision)).setPosition(at)
  return answer.setSuccess(success)
}

/** The RPC BatchAppend: many appends in each call, applied in order, each answered with its correlation id. */
export function batchAppendHandler(
  parts: AppendParts,
): handleBidiStreamingCall<messages.BatchAppendReq, messages.BatchAppendResp> {
  return (call) => {
    const open = new Map<string, { options: messages.BatchAppendReq.Options | undefined; events: Proposed[] }>()
    let turn = Promise.resolve()
    call.on('data', (request: messages.BatchAppendReq) => {
      const id = request.getCorrelationId()?.getString() ?? ''
      const append = open.get(id) ?? { options: request.getOptions(), events: [] }
      append.events.push(...request.getProposedMessagesList().map(proposed))
      open.set(id, append)
      if (!request.getIsFinal()) return
      open.delete(id)
      turn = turn.then(async () => {
        await parts.faults.working()
        const refusal = notReady(parts.faults) ?? notLeader(call.metadata, parts.faults)
        if (refusal) {
          call.emit('error', refusal)
          return
        }
        const answer = await batchAnswer(parts, append.options, append.events)
        if (answer && !call.cancelled) call.write(answer.setCorrelationId(request.getCorrelationId()))
      })
    })
    call.on('error', () => undefined)
    call.on('end', () => call.end())
  }
}

async function batchAnswer(
  parts: AppendParts,
  options: messages.BatchAppendReq.Options | undefined,
  events: readonly Proposed[],
): Promise<messages.BatchAppendResp | undefined> {
  const answer = new messages.BatchAppendResp().setStreamIdentifier(options?.getStreamIdentifier())
  const deadline = options?.getDeadline()
  if (deadline && deadline.toDate().getTime() <= Date.now())
    return answer.setError(failure(new shared.Timeout(), 'Timeout', 4))
  const revision = options?.hasStreamPosition() ? Number(options.getStreamPosition()) : undefined
  const expected = revision ?? named(options?.hasNoStream(), options?.hasStreamExists())
  const applied = await apply(parts, { stream: nameOf(options?.getStreamIdentifier()), expected, events })
  if (applied.outcome === 'reset') return undefined
  if (applied.outcome === 'too large') {
    const size = new shared.MaximumAppendSizeExceeded().setMaxappendsize(parts.faults.appendSize_max)
    return answer.setError(failure(size, 'MaximumAppendSizeExceeded', 3))
  }
  if (applied.outcome === 'wrong revision') {
    return answer.setError(failure(wrongRevision(applied.current, expected), 'WrongExpectedVersion', 6))
  }
  const position = String(applied.last.position)
  const at = new shared.AllStreamPosition().setCommitPosition(position).setPreparePosition(position)
  const success = new messages.BatchAppendResp.Success().setCurrentRevision(String(applied.last.revision))
  return answer.setSuccess(success.setPosition(at))
}

function wrongRevision(current: number, expected: Expected): shared.WrongExpectedVersion {
  const wrong = new shared.WrongExpectedVersion()
  if (current < 0) wrong.setCurrentNoStream(new empties.Empty())
  else wrong.setCurrentStreamRevision(String(current))
  if (typeof expected === 'number') return wrong.setExpectedStreamPosition(String(expected))
  if (expected === 'no_stream') return wrong.setExpectedNoStream(new empties.Empty())
  return expected === 'any'
    ? wrong.setExpectedAny(new empties.Empty())
    : wrong.setExpectedStreamExists(new empties.Empty())
}

function failure(details: { serializeBinary(): Uint8Array }, name: string, code: 3 | 4 | 6): statuses.Status {
  const any = new anys.Any()
  any.pack(details.serializeBinary(), `event_store.client.${name}`)
  return new statuses.Status().setCode(code).setMessage(name).setDetails(any)
}
