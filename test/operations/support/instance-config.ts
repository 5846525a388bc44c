import type { TestAnswer, TestGuildhall } from '../../support/test-guildhall.ts'
import { bodyOf } from './answers.ts'

export const configPath = '/v1/admin/instance/config'

/** Sends changes of the configuration of the instance. */
export const patchConfig =
  ({ request }: TestGuildhall, token: string) =>
  (body: unknown): Promise<TestAnswer> =>
    request('PATCH', configPath, { token, body })

/** The configuration as it is read. */
export const readConfig = async ({ request }: TestGuildhall, token: string) =>
  bodyOf(await request('GET', configPath, { token }))

/** The discovery document. */
export const discovered = async ({ request }: TestGuildhall) => bodyOf(await request('GET', '/.well-known/guildhall'))
