import { expect } from 'vitest'
import type { AdminExample, ExampleStage } from './admin-example.ts'
import { bodyOf, found } from './answers.ts'

/** A read of an archive by its path: it succeeds for a complete archive. */
function readOf(below: string, refused: AdminExample['refused']): AdminExample {
  return { succeeds: async (stage) => ({ path: `${await builtArchive(stage)}${below}` }), refused }
}

/** By the operation's name. */
export const archiveExamples: Readonly<Record<string, AdminExample>> = {
  'Trigger user archive': {
    succeeds: async ({ guildhall }) => ({
      path: `/v1/admin/users/${(await guildhall.register()).id}/archives`,
      body: {},
    }),
    refused: () => ({ path: '/v1/admin/users/1/archives', body: {}, status: 404 }),
  },
  'Trigger guild archive': {
    succeeds: async ({ guildhall }) => ({
      path: `/v1/admin/guilds/${(await found(guildhall, await guildhall.register())).id}/archives`,
      body: {},
    }),
    refused: () => ({ path: '/v1/admin/guilds/1/archives', body: {}, status: 404 }),
  },
  'List archives': {
    succeeds: () => ({ path: '/v1/admin/archives' }),
    refused: () => ({ path: '/v1/admin/archives?subject_id=1', status: 400 }),
  },
  'Get archive': readOf('', () => ({ path: '/v1/admin/archives/none/1/1', status: 400 })),
  'Get archive download link': readOf('/download', () => ({
    path: '/v1/admin/archives/user/1/1/download',
    status: 404,
  })),
}

/** The path of an archive that is complete. */
async function builtArchive({ guildhall: { request, register }, admin: { token } }: ExampleStage): Promise<string> {
  const { id } = await register()
  const asked = bodyOf(await request('POST', `/v1/admin/users/${id}/archives`, { token, body: {} }))
  const path = `/v1/admin/archives/user/${id}/${String(asked['archive_id'])}`
  const step = async () => {
    const { archive } = bodyOf(await request('GET', path, { token }))
    return archive
  }
  await expect.poll(step).toMatchObject({ progress_step: 'Completed' })
  return path
}
