import { Metadata, status } from '@grpc/grpc-js'
import { describe, expect, it } from 'vitest'
import { deadlineIn } from '../../../../adapters/event-store/eventstoredb/deadlines.ts'
import {
  EventStoreRefusal,
  EventStoreUnavailable,
  failureOf,
  persistently,
} from '../../../../adapters/event-store/eventstoredb/failures.ts'

const callError = (code: number, details: string, metadata = new Metadata()) =>
  Object.assign(new Error(`${code} ${details}`), { code, details, metadata })

const notLeader = new Metadata()
notLeader.set('exception', 'not-leader')

describe('an error of a call to EventStoreDB', () => {
  it.each([
    ['the server is not there', callError(status.UNAVAILABLE, 'No connection established')],
    ['it is not ready', callError(status.UNAVAILABLE, 'Server Is Not Ready')],
    ['it does not know who leads', callError(status.UNKNOWN, 'No leader info available in response')],
    ['another node leads', callError(status.NOT_FOUND, 'Leader info available', notLeader)],
    ['it took too long', callError(status.ABORTED, 'Operation timed out')],
    ['no answer came in time', callError(status.DEADLINE_EXCEEDED, 'Deadline exceeded')],
    ['no node is found', new Error('Failed to discover after 10 attempts.')],
  ])('is one to wait for where %s', (_, error) => {
    expect(failureOf(error)).toBeInstanceOf(EventStoreUnavailable)
  })

  it.each([
    ['the credentials are wrong', callError(status.UNAUTHENTICATED, 'Access Denied'), 'check the credentials'],
    ['the user may not', callError(status.PERMISSION_DENIED, 'Access Denied'), 'check the credentials'],
    ['a request is wrong', callError(status.INVALID_ARGUMENT, "'x' is not valid"), 'the request is not valid'],
    [
      'no event is at a position',
      callError(status.INVALID_ARGUMENT, 'Trying to read from an invalid position.'),
      'of another store',
    ],
    [
      'no event is at a position, in the words of older servers',
      callError(status.UNKNOWN, 'Unexpected FilteredReadAllResult: InvalidPosition'),
      'of another store',
    ],
  ])('is final where %s, and says so', (_, error, reason) => {
    expect(failureOf(error)).toBeInstanceOf(EventStoreRefusal)
    expect(failureOf(error).message).toContain(reason)
  })
})

describe('trying again', () => {
  it('ends with the reason of the last real try, not with the time that ran out', async () => {
    let tries = 0
    const attempt = async (): Promise<never> => {
      tries += 1
      throw new EventStoreUnavailable(`try ${tries}`)
    }
    await expect(persistently(deadlineIn(300), attempt)).rejects.toThrow(/^try \d+$/)
    expect(tries).toBeGreaterThan(1)
  })

  it('tries at least once, and no more after a refusal', async () => {
    let tries = 0
    const unavailable = persistently(deadlineIn(0), async () => {
      tries += 1
      throw new EventStoreUnavailable('away')
    })
    await expect(unavailable).rejects.toThrow('away')
    const refused = persistently(deadlineIn(60_000), async () => {
      tries += 1
      throw new EventStoreRefusal('never')
    })
    await expect(refused).rejects.toThrow('never')
    expect(tries).toBe(2)
  })

  it('gives what a later try gives', async () => {
    let tries = 0
    const attempt = async (): Promise<string> => {
      tries += 1
      if (tries < 3) throw new EventStoreUnavailable('away')
      return 'back'
    }
    expect(await persistently(deadlineIn(60_000), attempt)).toBe('back')
  })
})
