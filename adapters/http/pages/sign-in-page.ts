import type { Html } from './html.ts'

/** A page on which people sign in before they act. */
export interface SignInPage {
  readonly title: string
  /** What the sign-in is for. */
  readonly about: Html
  /** Fields that each step passes on. */
  readonly kept: Readonly<Record<string, string | undefined>>
  readonly button: string
  /** Whether who signs in stays signed in. If absent, the sign-in is for one act. */
  readonly isLasting?: true
  /** The address of the page below the instance's public URL, for whoever comes back to it. */
  readonly address: string
}
