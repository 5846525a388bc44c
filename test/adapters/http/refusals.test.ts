import { describe, expect, it } from 'vitest'
import { accounts, anyone } from '../../../adapters/http/callers.ts'
import { perUser } from '../../../adapters/http/bucket.ts'
import { none, operation } from '../../../adapters/http/operation.ts'
import { allOperations } from '../../../adapters/http/operations/all-operations.ts'
import { codesOf } from '../../../adapters/http/refusals.ts'
import { reject } from '../../../application/commands/refused.ts'
import type { ErrorCode } from '../../../domain/kernel/error-codes.ts'
import { codesOf as codesIn, startServer } from './support.ts'

const refusing = (code: ErrorCode, refuses: readonly ErrorCode[] = []) =>
  operation({
    name: 'Refuse',
    description: 'Does what a test asks for.',
    route: 'GET /v1/refused',
    callers: anyone(),
    bucket: perUser('test:refuse', { requests: 100, seconds: 1 }),
    replies: { 204: none },
    refuses,
    handle: async () => reject(code),
  })

describe('the codes that an operation lists', () => {
  it('are all that it refuses with: another one is an error in tests', async () => {
    const answers = async (code: ErrorCode, refuses?: readonly ErrorCode[]) =>
      codesIn(await (await startServer([refusing(code, refuses)])).fetch('/v1/refused'))
    expect(await answers('UNKNOWN_GUILD', ['UNKNOWN_GUILD'])).toEqual(['404 UNKNOWN_GUILD'])
    expect(await answers('UNKNOWN_GUILD')).toEqual(['500 INTERNAL_SERVER_ERROR'])
    expect(await answers('SERVICE_UNAVAILABLE')).toEqual(['503 SERVICE_UNAVAILABLE'])
  })
  it('hold where its own checks refuse before its use case', async () => {
    const server = await startServer([{ ...refusing('GONE'), callers: accounts() }])
    expect(await codesIn(await server.fetch('/v1/refused'))).toEqual(['401 UNAUTHORIZED'])
  })
  it('are declared where they do not follow from the rest, and only there', () => {
    for (const each of allOperations) {
      const derived = codesOf({ ...each, refuses: [] })
      expect([each.name, each.refuses.filter((code) => derived.has(code))]).toEqual([each.name, []])
      expect([each.name, each.refuses]).toEqual([each.name, [...new Set(each.refuses)].toSorted()])
    }
  })
})
