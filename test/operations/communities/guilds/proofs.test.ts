import { describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { backupCode, protect } from '../../../support/authenticator.ts'
import type { TestAccount, TestAnswer } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../../support/answers.ts'
import { addBot, asBot, newApplication } from '../../support/applications.ts'
import { placeOf } from '../../support/members.ts'
import { openServer } from '../../support/scene.ts'

/** Proofs of sudo mode and second factors, as Modify guild and Create channel invite ask for them. */

const guildhall = await openServer()
const ada = await protect(guildhall, await guildhall.register())
const place = await placeOf(guildhall, ada)

const header = 'x-service-sudo-mode-jwt'
const modify = (body: object, headers = {}) => place.send(ada, 'PATCH', '', body, headers)
const proofIn = ({ headers }: TestAnswer) => headers.get(header)
const byCode = (index: number) => ({ mfa_method: 'totp', mfa_code: backupCode(ada, index) })
const elevate = (level: number, index: number) => modify({ mfa_level: level, ...byCode(index) })

describe('a change of the MFA level', () => {
  it('returns a new proof, which the next change sends back, and which nothing else reads', async () => {
    const proof = proofIn(await elevate(1, 0)) ?? ''
    expect(proof).not.toBe('')
    const lowered = await modify({ mfa_level: 0 }, { [header]: proof })
    expect([lowered.status, proofIn(lowered)]).toStrictEqual([200, proof])
    const renamed = await modify({ name: 'Home' }, { [header]: proof })
    expect([renamed.status, proofIn(renamed)]).toStrictEqual([200, null])
  })

  it('lists the possible proofs if the given one is invalid or of another account', async () => {
    const methods = { totp: true, webauthn: false, backup_codes: true }
    const other = await protect(guildhall, await guildhall.register())
    const theirs = await placeOf(guildhall, other)
    const wanted = { mfa_level: 1, mfa_method: 'totp', mfa_code: backupCode(other, 0) }
    const foreign = proofIn(await theirs.send(other, 'PATCH', '', wanted)) ?? ''
    expect(foreign).not.toBe('')
    for (const headers of [{}, { [header]: 'nonsense' }, { [header]: foreign }]) {
      const answer = await modify({ mfa_level: 1 }, headers)
      expectRefusal(answer, 403, 'SUDO_MODE_REQUIRED')
      expect(answer.body).toMatchObject({ has_mfa: true, methods })
      expect(proofIn(answer)).toBeNull()
    }
  })

  it('accepts no password from an account with a second factor, and no wrong or missing code', async () => {
    expectRefusal(await modify({ mfa_level: 1, password: ada.password }), 403, 'SUDO_MODE_REQUIRED')
    for (const given of [{ mfa_code: ada.app.wrongCode() }, {}])
      expectFields(await modify({ mfa_level: 1, mfa_method: 'totp', ...given }), field('mfa_code', 'INVALID_MFA_CODE'))
  })
})

describe('an elevated permission while the MFA level is ELEVATED', () => {
  const botOf = async (owner: TestAccount, role: string) => {
    const robot = await newApplication(guildhall, owner)
    await addBot(guildhall, robot, place)
    expect((await place.send(ada, 'PUT', `/members/${robot.id}/roles/${role}`)).status).toBe(204)
    return (body: object) => guildhall.request('PATCH', `/v1/guilds/${place.id}`, { token: asBot(robot), body })
  }

  it('is used by a bot whose owner has an authenticator, and by no other', async () => {
    const role = await place.role('MANAGE_GUILD')
    const [hers, theirs] = [await botOf(ada, role), await botOf(await guildhall.register(), role)]
    expect((await elevate(1, 1)).status).toBe(200)
    expect(bodyOf(await hers({ name: 'By a bot' }))).toMatchObject({ name: 'By a bot' })
    expectRefusal(await theirs({ name: 'By another' }), 400, 'TWO_FACTOR_REQUIRED')
    // A bot needs no proof, and owns nothing.
    expectRefusal(await hers({ mfa_level: 0 }), 403, 'MISSING_PERMISSIONS')
    expect((await elevate(0, 2)).status).toBe(200)
  })

  it('is checked before the guild decides on the fields, and after their types', async () => {
    const manager = await place.holder('MANAGE_GUILD')
    expect((await elevate(1, 3)).status).toBe(200)
    const sent = (body: object) => place.send(manager, 'PATCH', '', body)
    expectRefusal(await sent({ features: ['VERIFIED'] }), 400, 'TWO_FACTOR_REQUIRED')
    expectFields(await sent({ verification_level: 5 }), field('verification_level', 'INVALID_FORMAT'))
    expect((await elevate(0, 4)).status).toBe(200)
  })

  it('is not needed to create an invite', async () => {
    const member = await place.member()
    expect((await elevate(1, 5)).status).toBe(200)
    const path = `/v1/channels/${place.channel}/invites`
    expect((await guildhall.request('POST', path, { token: member.token, body: {} })).status).toBe(200)
    expect((await elevate(0, 6)).status).toBe(200)
  })
})
