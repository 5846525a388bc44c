import type { ProfileChanges } from '../../../domain/account/profile.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { changeProfile } from '../../identity/own-account/change-profile.ts'
import { tellAnyway } from '../../identity/accounts/tell-anyway.ts'
import type { ReadImages } from '../../images/person-images.ts'
import type { Ports } from '../../ports.ts'
import type { AdminUserObject } from '../../wire-objects/administration/admin-user-object.ts'
import { changedUser, requireTarget, type ChangedUserNeeds } from './target-account.ts'

/** The fields of a profile that administrators can clear. */
export const profileFields = ['avatar', 'banner', 'bio', 'pronouns', 'global_name'] as const
export type ProfileField = (typeof profileFields)[number]

/**
 * Clears fields of an account's profile; none for an empty list. The files of a cleared avatar and banner are removed
 * afterwards. Refuses with UNKNOWN_USER.
 */
export function clearProfileFields(ports: ChangedUserNeeds & Pick<Ports, 'deferred' | 'images'>) {
  return async (caller: Caller, target: AccountId, fields: readonly ProfileField[]): Promise<AdminUserObject> => {
    const account = await requireTarget(ports, target)
    tellAnyway(ports, target, [await changeProfile(ports, account, without(fields), caller.context)])
    return changedUser(ports, caller, target)
  }
}

function without(fields: readonly ProfileField[]): { readonly profile: ProfileChanges; readonly images: ReadImages } {
  const has = (name: ProfileField): boolean => fields.includes(name)
  return {
    profile: {
      ...(has('bio') && { bio: null }),
      ...(has('pronouns') && { pronouns: null }),
      ...(has('global_name') && { globalName: null }),
    },
    images: { ...(has('avatar') && { avatar: null }), ...(has('banner') && { banner: null }) },
  }
}
