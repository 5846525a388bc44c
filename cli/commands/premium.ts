import { randomInt } from 'node:crypto'
import { adminAuditLog } from '../../application/administration/audit/admin-audit-log.js'
import { contextWith } from '../../application/commands/following-context.js'
import { Refused } from '../../application/commands/refused.js'
import { setPremium, type PremiumWish } from '../../application/identity/premium/set-premium.js'
import { auditChainHash } from '../../adapters/personal-data/audit-chain-hash.js'
import { systemAccountId } from '../../domain/account/system-account.js'
import { entryId } from '../../domain/ids/ids.js'
import { composeSnowflake } from '../../domain/ids/snowflake.js'
import { openAggregates } from '../aggregates.js'
import { operatorName } from '../operator/operator.js'
import { accountNamed, nobody } from './account-named.js'
import { changeBesideServer } from './change-beside.js'
import { operatorContext } from './operator-context.js'

const action = 'set_premium'

/**
 * Gives an account lifetime premium or takes all premium away, with an entry in the admin audit log. Running servers apply it once
 * this resolves.
 */
export async function premiumSet(who: string, text: string, print: (line: string) => void): Promise<void> {
  const wish = wishIn(text)
  await changeBesideServer({ print }, async (store) => {
    const aggregates = openAggregates({ store: store.events, snapshots: store.snapshots })
    const account = await accountNamed(who, store, aggregates)
    const target = { type: 'user', id: account }
    const newEntryId = entryId(composeSnowflake(Date.now(), randomInt(2 ** 22)))
    const plain = operatorContext()
    const adminAction = {
      entryId: newEntryId,
      commandId: plain.commandId,
      adminId: systemAccountId,
      credential: 'command_line',
      action,
      target,
    } as const
    const context = contextWith(plain, { adminAction })
    try {
      const number = await setPremium({ aggregates })(account, wish, context)
      print(
        wish === 'none'
          ? `Account ${account} has no premium now.`
          : `Account ${account} has lifetime premium, number ${number}.`,
      )
    } catch (error) {
      if (error instanceof Refused && error.refusal.code === 'UNKNOWN_USER') throw nobody(account)
      throw error
    }
    const log = adminAuditLog({ aggregates, adminAuditHash: auditChainHash(store.personalDataKey) })
    const entry = { adminId: systemAccountId, credential: 'command_line', action, target } as const
    await log.record({ ...entry, metadata: { premium: wish, operator: operatorName() } }, context)
  })
}

function wishIn(text: string): PremiumWish {
  if (text === 'lifetime' || text === 'none') return text
  throw new Error(`${text} is neither lifetime nor none`)
}
