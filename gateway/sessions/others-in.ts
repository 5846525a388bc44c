import type { AccountId } from '../../domain/ids/ids.ts'
import type { SessionSnapshot } from '../../application/ports/queries/session-snapshot.ts'

/** The other accounts in READY, without repeats: their partial users are in `users`. */
export function othersIn({ account, relationships, privateChannels }: SessionSnapshot): readonly AccountId[] {
  const others = new Set(relationships.map(({ otherId }) => otherId))
  for (const { recipients } of privateChannels) for (const recipient of recipients) others.add(recipient)
  others.delete(account.id)
  return [...others]
}
