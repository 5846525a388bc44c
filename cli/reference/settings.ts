import { settingNotes, settingSchema, type SettingNote } from '../../process/settings/setting-schema.ts'
import { neededByRoles } from '../../process/settings/settings.ts'
import { code, codes, page, table } from './markdown.ts'

interface Setting extends SettingNote {
  readonly name: string
}

/** Every setting: from the table of their checks, with what stands in it about each. Throws where one has no note. */
export function settingsPage(): string {
  const settings = allSettings()
  const own = settings.filter(({ whenDifferent }) => whenDifferent === undefined).map(({ name }) => name)
  const shared = settings.flatMap(({ name, whenDifferent }) =>
    whenDifferent === undefined ? [] : [[code(name), whenDifferent]],
  )
  return page(
    '# Settings',
    'A process reads its settings from the environment, and from a `.env` file in the folder where it starts. An empty value counts as unset. A wrong value ends the start with a message that names the setting.',
    table(
      ['setting', 'when unset', 'meaning'],
      settings.map((setting) => [code(setting.name), whenUnset(setting), setting.meaning]),
    ),
    '## Several processes',
    `The roles \`api\`, \`gateway\`, \`projector\` and \`worker\` refuse to start without ${codes(Object.keys(neededByRoles))}. These settings have to be the same in every process of an instance:`,
    table(['setting', 'where processes differ'], shared),
    `A process may have its own ${codes(own)}.`,
  )
}

function allSettings(): readonly Setting[] {
  return Object.entries(settingSchema.shape).map(([name, check]) => {
    const note = settingNotes.get(check)
    if (!note) throw new Error(`process/settings/setting-schema.ts says nothing about ${name}`)
    return { name, ...note }
  })
}

function whenUnset({ name, whenUnset: said }: Setting): string {
  if (said !== undefined) return said
  const value: unknown = Reflect.get(defaults, name)
  if (value === undefined) return 'none'
  return code(typeof value === 'string' ? value : JSON.stringify(value))
}

const defaults = settingSchema.parse({})
