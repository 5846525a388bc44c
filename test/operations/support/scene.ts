import { afterAll } from 'vitest'
import { sharedGuildhall, type SharedServer } from '../../support/shared-guildhall.ts'
import {
  startTestGuildhall,
  type TestAccount,
  type TestGuildhall,
  type TestOptions,
} from '../../support/test-guildhall.ts'
import { accept, bodyOf, found, invite, type TestGuild } from './answers.ts'

/** Ada's guild, which Brian is in and Carol is not. */
export interface Scene {
  readonly guildhall: TestGuildhall
  readonly ada: TestAccount
  readonly brian: TestAccount
  readonly carol: TestAccount
  readonly home: TestGuild
}

/**
 * The server of a file, for the top of the file or of a `describe`. By name it is one that the files of a worker share, with
 * settings a separate one, which is closed after its tests.
 */
export async function openServer(wanted: SharedServer | TestOptions = 'stock'): Promise<TestGuildhall> {
  if (typeof wanted === 'string') return sharedGuildhall(wanted)
  const guildhall = await startTestGuildhall(wanted)
  afterAll(() => guildhall.close())
  return guildhall
}

/** Such a server, with the scene prepared on it. */
export async function openScene(wanted?: SharedServer | TestOptions): Promise<Scene> {
  const guildhall = await openServer(wanted)
  const [ada, brian, carol] = await Promise.all([guildhall.register(), guildhall.register(), guildhall.register()])
  return { guildhall, ada, brian, carol, home: await foundWith(guildhall, ada, brian) }
}

/** Founds a guild that another account joins by an invite. */
export async function foundWith(guildhall: TestGuildhall, owner: TestAccount, member: TestAccount): Promise<TestGuild> {
  const guild = await found(guildhall, owner)
  bodyOf(await accept(guildhall, member, await invite(guildhall, owner, guild.channel)))
  return guild
}
