import type { Account } from '../../../domain/account/state.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { ownAccountState } from '../accounts/own-account-state.ts'
import { bySession } from '../../access/by-session.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { tellHolder } from '../mail/tell-holder.ts'
import { backupCodesObject, newBackupCodes, type BackupCodesObject } from './backup-codes.ts'

/** The authenticator's secret, chosen by the client, and a code that proves that the authenticator has it. */
export interface TotpSetUp {
  readonly secret: string
  readonly code: string
}

/**
 * Turns TOTP on, mails the holder, and adds ten new backup codes to the existing ones. Refuses with
 * MFA_EMAIL_VERIFICATION_REQUIRED, with TWO_FA_NOT_ENABLED if it is on already (the name reads inverted), and with
 * INVALID_FORM_BODY: INVALID_FORMAT on `secret`, INVALID_CODE on `code`. See rules/credentials#second-factors.
 */
export function enableTotp({ aggregates, mail, totp }: Pick<Ports, 'aggregates' | 'mail' | 'totp'>) {
  return async (caller: Caller, { secret: given, code }: TotpSetUp): Promise<BackupCodesObject> => {
    const { context } = caller
    const account = await ownAccountState({ aggregates }, caller)
    requireVerifiedAddress(account)
    if (account.secondFactors.totpSecret !== null) return reject('TWO_FA_NOT_ENABLED')
    const secret = totp.normalised(given)
    if (secret === undefined) return reject('INVALID_FORM_BODY', field('secret', 'INVALID_FORMAT'))
    const step = totp.stepOf(secret, code, context.now)
    if (step === undefined) return reject('INVALID_FORM_BODY', field('code', 'INVALID_CODE'))
    const codes = newBackupCodes(context)
    const proved = { secret, step, backupCodes: codes, ...bySession(caller) }
    const enable = { type: 'EnableTotp', ...proved, now: context.now } as const
    await aggregates.account.execute(account.id, enable, context)
    await tellHolder({ mail }, account, context, (values) => ({ template: 'totp_enabled', values }))
    return backupCodesObject(codes.map((text) => ({ code: text, consumed: false })))
  }
}

/** Recovering a lost second factor needs mail, so only an account with a verified address may have one. */
export function requireVerifiedAddress({ emailVerified }: Account): void {
  if (!emailVerified) reject('MFA_EMAIL_VERIFICATION_REQUIRED')
}
