import { describe, expect, it } from 'vitest'
import { administrator } from '../../../support/administrators.ts'
import { expectRefusal, listOf } from '../../support/answers.ts'
import { credentials, enrol } from '../../support/passkeys.ts'
import { openServer } from '../../support/scene.ts'
import { entriesAbout, userReadsOf } from './support.ts'

const guildhall = await openServer()
const root = await administrator(guildhall, '*')
const reads = userReadsOf(guildhall, root)

describe('List user WebAuthn credentials', () => {
  it('gives what the holder sees, as a bare list, and nothing of the keys', async () => {
    const ada = await guildhall.register()
    expect(listOf(await reads.below(ada, 'webauthn-credentials'))).toEqual([])
    await enrol(guildhall, ada)
    const own = listOf(await guildhall.request('GET', credentials, { token: ada.token }))
    expect(own).toHaveLength(1)
    const read = listOf(await reads.below(ada, 'webauthn-credentials'))
    expect(read).toEqual(own)
    expect(Object.keys(read[0] ?? {}).toSorted()).toEqual(['created_at', 'id', 'last_used_at', 'name'])
    expect((await entriesAbout(guildhall, ada)).map(({ action, metadata }) => [action, metadata])).toEqual([
      ['list_webauthn_credentials', { credential_count: '0' }],
      ['list_webauthn_credentials', { credential_count: '1' }],
    ])
  })
  it('needs user:update:mfa', async () => {
    const other = await administrator(guildhall, 'admin:authenticate', 'user:lookup')
    expectRefusal(await userReadsOf(guildhall, other).below(root, 'webauthn-credentials'), 403, 'MISSING_ACL')
  })
  it('refuses an unknown account, and records nothing', async () => {
    expectRefusal(await reads.below({ id: '5' }, 'webauthn-credentials'), 404, 'UNKNOWN_USER')
    expect(await entriesAbout(guildhall, { id: '5' })).toEqual([])
  })
})
