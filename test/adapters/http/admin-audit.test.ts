import { describe, expect, it } from 'vitest'
import type { AdminAuditEntry } from '../../../application/ports/admin-audit.js'
import { adminGetThing } from './operations.js'
import { adaToken, adminToken, codesOf, startServer } from './support.js'

async function startAudited() {
  const entries: (AdminAuditEntry & { reason: string | undefined })[] = []
  const server = await startServer([adminGetThing], {
    adminAudit: { record: async (entry, { reason }) => void entries.push({ ...entry, reason }) },
  })
  return { server, entries }
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
        target: { type: 'thing', id: '42' },
        metadata: { fail: 'false', id: '42' },
        reason: 'because',
      },
    ])
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
