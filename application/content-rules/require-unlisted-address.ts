import type { Ports } from '../ports.ts'
import { requireUnlisted } from './require-unlisted.ts'

/**
 * Demands that an account may use a normalised e-mail address. Refuses with CONTENT_BLOCKED if it is on the blocklist.
 */
export async function requireUnlistedAddress(
  needs: Pick<Ports, 'blocklistBox' | 'queries'>,
  email: string,
): Promise<void> {
  await requireUnlisted(needs, 'email', [email])
}
