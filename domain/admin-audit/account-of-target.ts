import { accountId, type AccountId } from '../ids/ids.ts'
import { snowflake } from '../ids/snowflake.ts'

/** The types of targets whose id is that of an account. */
const targetsWithAccount: readonly string[] = ['user', 'message_deletion', 'message_shred']

/** No target: for example that of a search. */
const noTarget = '0'

/** The account that an administrator's action is on; undefined if it is on none. */
export function accountOfTarget({ type, id }: { readonly type: string; readonly id: string }): AccountId | undefined {
  return targetsWithAccount.includes(type) && id !== noTarget ? accountId(snowflake(id)) : undefined
}
