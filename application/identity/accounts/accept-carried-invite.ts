import { parseInviteCode } from '../../../domain/text/normalise.ts'
import type { Caller } from '../../caller.ts'
import { Refused } from '../../commands/refused.ts'
import { acceptInvite } from '../../communities/invites/accept-invite.ts'

type Needs = Parameters<typeof acceptInvite>[0]

/** Accepts the invite that a sign-in carries. If the invite admits nobody, the sign-in still succeeds. */
export async function acceptCarriedInvite(ports: Needs, caller: Caller, text: string | null): Promise<void> {
  const code = parseInviteCode(text ?? '')
  if (!code.ok) return
  try {
    await acceptInvite(ports)(caller, code.value)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
  }
}
