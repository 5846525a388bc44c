import { describe, expect, it } from 'vitest'
import { sessionTokenHash } from '../../../application/identity/tokens/session-token.ts'
import { backupCode, protect, sudoHeader, sudoProofOf } from '../../support/authenticator.ts'
import { expectRefusal } from '../support/answers.ts'
import { openServer } from '../support/scene.ts'

const guildhall = await openServer()
const logout = '/v1/auth/sessions/logout'

describe('End own sessions', () => {
  it('gives a new proof of sudo mode, whichever sessions it ends', async () => {
    const ada = await protect(guildhall, await guildhall.register())
    for (const [index, hashes] of [[], [sessionTokenHash(ada.token)]].entries()) {
      const body = { session_id_hashes: hashes, mfa_method: 'totp', mfa_code: backupCode(ada, index) }
      const answer = await guildhall.request('POST', logout, { token: ada.token, body })
      expect(answer.status).toBe(204)
      expect(sudoProofOf(answer)).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    }
  })

  it('gives no proof that serves another session, where it ends the one that asks', async () => {
    const account = await guildhall.register()
    const { email, password } = account
    const second = await guildhall.request('POST', '/v1/auth/login', { body: { email, password } })
    const { token } = second.body as { readonly token: string }
    const ada = await protect(guildhall, account)
    const body = { session_id_hashes: [sessionTokenHash(ada.token)], mfa_method: 'totp', mfa_code: backupCode(ada, 0) }
    const proof = sudoProofOf(await guildhall.request('POST', logout, { token: ada.token, body })) ?? ''
    const headers = { [sudoHeader]: proof }
    const answer = await guildhall.request('POST', logout, { token, body: { session_id_hashes: [] }, headers })
    expectRefusal(answer, 403, 'SUDO_MODE_REQUIRED')
  })
})
