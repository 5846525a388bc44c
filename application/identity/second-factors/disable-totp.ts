import { field } from '../../../domain/kernel/refusal.ts'
import { ownAccountState } from '../accounts/own-account-state.ts'
import { bySession } from '../../access/by-session.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { tellHolder } from '../mail/tell-holder.ts'
import { proofByCode } from '../sudo/second-factor-proof.ts'
import { chargeSudo, restoreSudo } from '../sudo/sudo-budget.ts'

type Needs = Pick<Ports, 'aggregates' | 'allowances' | 'mail' | 'totp'>

/**
 * Turns TOTP off by an authenticator's code or a backup code. Removes all backup codes and mails the holder. Refuses
 * with TWO_FACTOR_REQUIRED if it is off, and with INVALID_CODE on `code`, also for a used code and after the budget of
 * sudo proofs is spent. See rules/credentials#second-factors.
 */
export function disableTotp(ports: Needs) {
  return async (caller: Caller, code: string): Promise<void> => {
    const { context } = caller
    const account = await ownAccountState(ports, caller)
    const { id, secondFactors } = account
    if (secondFactors.totpSecret === null) return reject('TWO_FACTOR_REQUIRED')
    const isInBudget = await chargeSudo(ports, id)
    const proof = proofByCode(ports.totp, secondFactors, code, context.now)
    if (!proof || !isInBudget) return reject('INVALID_FORM_BODY', field('code', 'INVALID_CODE'))
    await ports.aggregates.account.execute(id, { type: 'DisableTotp', proof, ...bySession(caller) }, context)
    await restoreSudo(ports, id)
    await tellHolder(ports, account, context, (values) => ({ template: 'totp_disabled', values }))
  }
}
