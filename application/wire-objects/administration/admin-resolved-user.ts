import type { AccountRecord } from '../../ports/queries/account-queries.ts'

/** An account that another object for administrators names. */
export function adminResolvedUser({ id, username, discriminator, profile }: AccountRecord) {
  return {
    id,
    username,
    discriminator: paddedDiscriminator(discriminator),
    global_name: profile.globalName,
    avatar: profile.avatar,
  }
}

export type AdminResolvedUser = ReturnType<typeof adminResolvedUser>

/** A discriminator in four digits. */
export function paddedDiscriminator(discriminator: number): string {
  return discriminator.toString().padStart(4, '0')
}
