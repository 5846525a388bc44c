import { describe, expect, it } from 'vitest'
import { read } from '../docs/pages.ts'
import { expectAsOnPage } from './support/play.ts'

/** The libraries of the page of clients, and their stories. */
const stories = {
  'discord.js': 'discord-js.mjs',
  '@discordjs/core, @discordjs/rest and @discordjs/ws': 'discordjs-core.mjs',
  eris: 'eris.mjs',
  'oceanic.js': 'oceanic.mjs',
}

describe('a story', () => {
  it.each(Object.entries(stories))('goes as the page of clients says, with %s', async (library, file) => {
    await expectAsOnPage(library, file)
  })
})

it('is played by the versions that the page names', () => {
  const packages = JSON.parse(read('package.json')) as { readonly devDependencies: Readonly<Record<string, string>> }
  const page = read('docs/clients.md')
  for (const name of ['discord.js', '@discordjs/core', '@discordjs/rest', '@discordjs/ws', 'eris', 'oceanic.js'])
    expect(page).toContain(`${name} ${packages.devDependencies[name]}`)
})
