import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { call, register, send } from '../support/load-api.ts'
import { startProduct } from '../support/product-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { stillImage } from '../operations/support/pictures.ts'

const root = path.resolve(import.meta.dirname, '../..')

it('the product runs from its sources: it serves, decodes images, and its status thread answers', async () => {
  const product = await startProduct({
    dataDir: await temporaryFolder('from-sources'),
    program: path.join(root, 'cli/guildhall.ts'),
  })
  onTestFinished(() => product.stop())
  const ada = await call(product.url, register(`user${randomUUID().slice(0, 8)}`))
  const answer = await send(product.url, {
    method: 'PATCH',
    path: '/v1/users/@me',
    token: ada.token,
    parse: (body) => body,
    body: { avatar: await stillImage('red') },
  })
  expect(answer).toMatchObject({ status: 200 })
  expect((await fetch(`${product.statusUrl}/_ready`)).status).toBe(200)
})

it('npm run dev starts again after a change in each folder of the product', async () => {
  const { scripts } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
    readonly scripts: { readonly dev: string }
  }
  const watched = [...scripts.dev.matchAll(/--watch-path=(\S+)/g)].map(([, folder]) => folder)
  const entries = await readdir(root, { withFileTypes: true })
  // The console is built by itself when somebody opens it.
  const beside = new Set(['bench', 'console', 'deploy', 'dist', 'docs', 'node_modules', 'test', 'tools', 'data'])
  const folders = entries.filter(
    (entry) => entry.isDirectory() && !entry.name.startsWith('.') && !beside.has(entry.name),
  )
  expect(new Set(watched)).toStrictEqual(new Set(folders.map(({ name }) => name)))
})
