import type { ProfileChanges } from '../../../domain/account/profile.ts'
import type { Account, AccountState } from '../../../domain/account/state.ts'
import type { Executed } from '../../aggregates/earlier-try.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import {
  coloursOf,
  imageLocationsOfAccount,
  removeReplacedOfPerson,
  storePersonImages,
  type ReadImages,
} from '../../images/person-images.ts'
import type { Ports } from '../../ports.ts'

/** Changes an account's profile. New images are stored before the profile names them; replaced ones are removed afterwards. */
export async function changeProfile(
  ports: Pick<Ports, 'deferred' | 'aggregates' | 'images'>,
  account: Account,
  { profile, images }: { readonly profile: ProfileChanges; readonly images: ReadImages },
  context: CommandContext,
): Promise<Executed<AccountState>> {
  const locations = imageLocationsOfAccount(account.id)
  const after = await storePersonImages(images, locations)
  const command = { type: 'ChangeProfile', changes: { ...profile, ...after, ...coloursOf(images) } } as const
  const done = await ports.aggregates.account.execute(account.id, command, context)
  removeReplacedOfPerson(ports, locations, { before: account.profile, after }, async () => {
    const { state } = await ports.aggregates.account.load(account.id)
    return state.status === 'registered' ? state.profile : {}
  })
  return done
}
