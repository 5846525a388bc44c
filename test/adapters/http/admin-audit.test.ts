import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { admin } from '../../../adapters/http/callers.ts'
import { perUser } from '../../../adapters/http/bucket.ts'
import { none, operation } from '../../../adapters/http/operation.ts'
import { snowflakeInput } from '../../../adapters/http/schemas/scalars.ts'
import { metadataOf } from '../../../application/commands/command-context.ts'
import { reject } from '../../../application/commands/refused.ts'
import type { AdminAction } from '../../../application/ports/event-store.ts'
import type { ErrorCode } from '../../../domain/kernel/error-codes.ts'
import type { AdminAuditEntry } from '../../../application/ports/admin-audit.ts'
import { adminDecideThing, adminGetThing } from './operations.ts'
import { adaToken, adminToken, codesOf, startServer } from './support.ts'

async function startAudited() {
  const entries: (AdminAuditEntry & { reason: string | undefined })[] = []
  const actions: (string | undefined)[] = []
  const server = await startServer([adminGetThing, adminDecideThing], {
    adminAudit: {
      record: async (entry, { reason, adminAction }) => {
        actions.push(adminAction?.action)
        entries.push({ ...entry, reason })
      },
      refused: async () => undefined,
    },
  })
  return { server, entries, actions }
}

describe('an operation for administrators', () => {
  it('records its success with target, metadata and reason', async () => {
    const { server, entries } = await startAudited()
    const response = await server.fetch('/v1/admin/things/42', {
      token: adminToken,
      headers: { 'x-audit-log-reason': 'because' },
    })
    expect(await response.json()).toEqual({ id: '42' })
    expect(entries).toEqual([
      {
        action: 'get_thing',
        adminId: '1003',
        credential: 'session',
        target: { type: 'thing', id: '42' },
        metadata: { fail: 'false', id: '42' },
        reason: 'because',
      },
    ])
  })
  it('is recorded as what its request asks for, which its events say, too', async () => {
    const { server, entries, actions } = await startAudited()
    for (const open of [true, false])
      await server.fetch('/v1/admin/things/42', { method: 'PATCH', token: adminToken, body: JSON.stringify({ open }) })
    expect(entries.map(({ action }) => action)).toEqual(['open_thing', 'shut_thing'])
    expect(actions).toEqual(['open_thing', 'shut_thing'])
  })
  it('records nothing of a request that failed or was refused', async () => {
    const { server, entries } = await startAudited()
    expect((await server.fetch('/v1/admin/things/42?fail=1', { token: adminToken })).status).toBe(500)
    expect(await codesOf(await server.fetch('/v1/admin/things/42'))).toEqual(['401 UNAUTHORIZED'])
    expect(await codesOf(await server.fetch('/v1/admin/things/42', { token: adaToken }))).toEqual([
      '403 MISSING_PERMISSIONS',
    ])
    expect((await server.fetch('/v1/admin/things/x', { token: adminToken })).status).toBe(400)
    expect(entries).toEqual([])
  })
})

describe('an operation for administrators that has written events', () => {
  async function answered(code: ErrorCode) {
    const given: (AdminAction | undefined)[] = []
    const server = await startServer(
      [
        operation({
          name: 'Change thing',
          description: 'Does what a test asks for.',
          route: 'PUT /v1/admin/things/:thing_id',
          callers: admin({ acls: ['user:lookup'] }),
          bucket: perUser('admin:user:modify', { requests: 100, seconds: 60 }),
          params: z.object({ thing_id: snowflakeInput }),
          replies: { 204: none },
          refuses: [code],
          adminAudit: { action: 'change_thing', target: 'thing', targetId: ({ params }) => params.thing_id },
          handle: async ({ caller: { context } }) => {
            context.noteWritten(1n)
            expect(metadataOf(context, 'guild-1', 'step', 0).adminAction).toEqual(context.adminAction)
            return reject(code)
          },
        }),
      ],
      {
        adminAudit: { record: async () => undefined, refused: async (context) => void given.push(context.adminAction) },
      },
    )
    await server.fetch('/v1/admin/things/42', { method: 'PUT', token: adminToken })
    return given
  }

  it('and was refused says so, of the entry that they name', async () => {
    expect(await answered('CONFLICT')).toEqual([
      {
        entryId: expect.stringMatching(/^\d+$/),
        commandId: expect.any(String),
        adminId: '1003',
        credential: 'session',
        action: 'change_thing',
        target: { type: 'thing', id: '42' },
      },
    ])
  })
  it('and failed leaves the entry to whoever finishes it', async () => {
    expect(await answered('SERVICE_UNAVAILABLE')).toEqual([])
  })
})
