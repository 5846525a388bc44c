import { backupCodes_count, type BackupCode, type SecondFactors } from '../../../domain/account/state.ts'
import { ownAccountState } from '../accounts/own-account-state.ts'
import { bySession } from '../../access/by-session.ts'
import type { Caller } from '../../caller.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { randomText } from '../../commands/random-text.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { tellHolder } from '../mail/tell-holder.ts'

/** The backup codes as their holder sees them, used ones included. */
export interface BackupCodesObject {
  readonly backup_codes: readonly BackupCode[]
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'
const group_characters = 4

/** New codes, two groups of four of [a-z0-9] each. */
export function newBackupCodes(context: CommandContext): readonly string[] {
  const group = (): string => randomText(context, alphabet, group_characters)
  return Array.from({ length: backupCodes_count }, () => `${group()}-${group()}`)
}

/** The codes as shown, without other stored data. */
export function backupCodesObject(codes: SecondFactors['backupCodes']): BackupCodesObject {
  return { backup_codes: codes.map(({ code, consumed }) => ({ code, consumed })) }
}

/** Shows the caller's backup codes, or replaces them first. Refuses new ones with TWO_FACTOR_REQUIRED. */
export function backupCodes(ports: Pick<Ports, 'aggregates' | 'mail'>) {
  return async (caller: Caller, regenerate: boolean): Promise<BackupCodesObject> => {
    if (regenerate) return regenerateBackupCodes(ports, caller)
    const { secondFactors } = await ownAccountState(ports, caller)
    return backupCodesObject(secondFactors.backupCodes)
  }
}

/** Replaces all the caller's codes, and mails the holder. Refuses accounts without a second factor with TWO_FACTOR_REQUIRED. */
export async function regenerateBackupCodes(
  ports: Pick<Ports, 'aggregates' | 'mail'>,
  { account, credential, context }: Caller,
): Promise<BackupCodesObject> {
  const codes = newBackupCodes(context)
  const issue = { type: 'IssueBackupCodes', codes, ...bySession({ credential }) } as const
  const { state } = await ports.aggregates.account.execute(account.id, issue, context)
  if (state.status !== 'registered') return reject('UNAUTHORIZED')
  await tellHolder(ports, state, context, (values) => ({ template: 'backup_codes_replaced', values }))
  return backupCodesObject(state.secondFactors.backupCodes)
}
