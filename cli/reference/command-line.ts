import type { Argument, Command, Option } from 'commander'
import { program } from '../command-line.ts'
import { code, page } from './markdown.ts'

/** Every command, as the program declares it. */
export function commandLinePage(): string {
  return page(
    '# Command line',
    'Run `npm run guildhall <command>` in a checkout, or `node --max-semi-space-size=32 --min-semi-space-size=16 dist/cli/guildhall.js <command>` after a build. npm keeps options to itself unless `--` stands before the command: `npm run guildhall -- seed --members 20`. `--help` prints what stands here.',
    'Every command reads the same [settings](settings.md). Commands other than `start` and the roles work with a server running beside them and without one, except where the text says otherwise. They work on EventStoreDB too. A command that changes something returns once the running server knows of it. After 10 s it prints that the server is late; what it wrote counts as soon as the server has read it.',
    ...program.commands.flatMap((command) => sectionsOf(command, [])),
  )
}

function sectionsOf(command: Command, parents: readonly string[]): readonly string[] {
  const path = [...parents, command.name()]
  return [sectionOf(command, path), ...command.commands.flatMap((sub) => sectionsOf(sub, path))]
}

function sectionOf(command: Command, path: readonly string[]): string {
  const usage = [...path, ...command.registeredArguments.map(shown)].join(' ')
  const details = [...command.registeredArguments.map(argumentLine), ...command.options.map(optionLine)]
  const parts = [`## ${code(usage)}`, sentence(command.description())]
  return [...parts, ...(details.length > 0 ? [details.join('\n')] : [])].join('\n\n')
}

function shown(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`
  return argument.required ? `<${name}>` : `[${name}]`
}

function argumentLine(argument: Argument): string {
  return line(shown(argument), argument.description)
}

function optionLine({ flags, description, defaultValue }: Option): string {
  const unset = defaultValue === undefined ? '' : `; ${code(String(defaultValue))} by default`
  return line(flags, `${description}${unset}`)
}

function line(name: string, description: string): string {
  return description === '' ? `- ${code(name)}` : `- ${code(name)}: ${description}`
}

/** Descriptions of one clause are written as commander shows them: without a capital and a full stop. */
function sentence(text: string): string {
  const begun = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
  return /[.'!?]$/.test(begun) ? begun : `${begun}.`
}
