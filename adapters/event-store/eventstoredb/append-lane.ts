import { randomUUID } from 'node:crypto'
import type messages from '@eventstore/db-client/generated/streams_pb.js'
import { answerOf, appendRequest, type Answer, type Proposal } from './append-messages.ts'
import type { AppendCall, Connection, DoubtfulCall } from './connection.ts'
import { asDate, unanswered_ms, type Deadline } from './deadlines.ts'
import { failureOf } from './failures.ts'

/** Sends appends over one call and matches the answers to them. If the call breaks, the next append opens a new one. */
export interface AppendLane {
  /**
   * Sends one try and gives its answer. The server does not take the try after `notAfter`. The answer is `unknown` if none
   * comes until the deadline, or if the call breaks. Never rejects.
   */
  send(proposal: Proposal, deadline: Deadline, notAfter: Deadline): Promise<Answer>
}

/** A lane on a connection. The first append opens it. */
export function appendLane(connection: Connection): AppendLane {
  let opened: Promise<OpenLane> | undefined
  const forget = (lane: Promise<OpenLane>): void => {
    if (opened === lane) opened = undefined
  }
  const open = (deadline: Deadline): Promise<OpenLane> => {
    const lane = connection.batchAppend(deadline).then((opened) => new OpenLane(opened, () => forget(lane)))
    lane.catch(() => forget(lane))
    return lane
  }
  return {
    async send(proposal, deadline, notAfter) {
      opened ??= open(deadline)
      const lane = await opened.catch(failureOf)
      if (lane instanceof Error) return { outcome: 'unknown', reason: lane.message }
      return lane.send(proposal, deadline, notAfter)
    },
  }
}

/** One call, until it breaks. */
class OpenLane {
  readonly #call: AppendCall
  readonly #doubt: () => void
  readonly #waiting = new Map<string, (answer: Answer) => void>()

  constructor({ call, doubt }: DoubtfulCall, onBroken: () => void) {
    this.#call = call
    this.#doubt = doubt
    const broken = (reason: string): void => {
      onBroken()
      for (const answer of this.#waiting.values()) answer({ outcome: 'unknown', reason })
    }
    call.on('data', (response: messages.BatchAppendResp) => {
      this.#waiting.get(response.getCorrelationId()?.getString() ?? '')?.(answerOf(response))
    })
    call.on('error', (error) => broken(failureOf(error).message))
    call.on('end', () => broken('EventStoreDB ended the call'))
    call.on('close', () => broken('the call was closed'))
  }

  /** The caller bounds what is under way, so nothing waits here for the call to drain. */
  send(proposal: Proposal, deadline: Deadline, notAfter: Deadline): Promise<Answer> {
    const correlationId = randomUUID()
    return new Promise((resolve) => {
      const answer = (given: Answer): void => {
        clearTimeout(timer)
        clearTimeout(late)
        this.#waiting.delete(correlationId)
        resolve(given)
      }
      const timer = setTimeout(
        () => answer({ outcome: 'unknown', reason: 'no answer in time' }),
        deadline.remaining_ms(),
      )
      const late = setTimeout(this.#doubt, unanswered_ms)
      this.#waiting.set(correlationId, answer)
      const request = appendRequest(proposal, correlationId, asDate(notAfter))
      this.#call.write(request, (error: unknown) => {
        if (error) answer({ outcome: 'unknown', reason: failureOf(error).message })
      })
    })
  }
}
