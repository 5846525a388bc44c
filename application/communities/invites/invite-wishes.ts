/** What Create channel invite reads of its body; null and absent have taken their defaults. */
export interface InviteWishes {
  /** 0-100; 0 for no limit. */
  readonly maxUses: number
  /** Seconds, 0-604800; 0 for no end. */
  readonly maxAge: number
  readonly unique: boolean
  readonly temporary: boolean
}
