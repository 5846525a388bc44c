import path from 'node:path'
import { API, SymbolFlags, type Checker, type Project, type Symbol, type Type } from 'typescript/unstable/sync'
import { described, SchemasOfTypes, type JsonSchema, type ObjectSchema } from './schemas-of-types.ts'

/** What the types say of one event. */
export interface TypesOfEvent {
  readonly description?: string
  /** The data of each version, the first one first. */
  readonly versions: readonly ObjectSchema[]
}

/** What the types say of all events. */
export interface EventTypes {
  /** By the names of aggregates, then by the types of events. */
  readonly events: Readonly<Record<string, Readonly<Record<string, TypesOfEvent>>>>
  readonly metadata: ObjectSchema
  /** The schemas that those above refer to. */
  readonly definitions: readonly (readonly [string, JsonSchema])[]
}

/** The forms of texts that the compiler tells apart from others. */
const snowflakeForm = { pattern: '^(0|[1-9][0-9]{0,18})$' }

const timestampForm = { pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' }

/** Asks the compiler for the types of all stored events and of their metadata, in the checkout at `root`. Takes about a second. */
export function readEventTypes(root: string): EventTypes {
  const config = path.join(root, 'cli/event-schemas/read.tsconfig.json')
  const compiler = new API({ cwd: root })
  try {
    const project = compiler.updateSnapshot({ openProjects: [config] }).getProject(config)
    if (!project) throw new Error(`the compiler does not open ${config}`)
    return eventTypesOf(project, root)
  } finally {
    compiler.close()
  }
}

function eventTypesOf(project: Project, root: string): EventTypes {
  const { checker } = project
  const declared = (file: string, name: string): Type => {
    const found = checker.resolveName(name, SymbolFlags.Type, project.program.getSourceFile(path.join(root, file)))
    if (!found) throw new Error(`${file} declares no ${name}`)
    return checker.getDeclaredTypeOfSymbol(found)
  }
  const forms = [
    { type: declared('domain/ids/snowflake.ts', 'Snowflake'), form: snowflakeForm },
    { type: declared('domain/kernel/timestamp.ts', 'Timestamp'), form: timestampForm },
  ]
  const schemas = new SchemasOfTypes(
    checker,
    (branded) => forms.find(({ type }) => checker.isTypeAssignableTo(branded, type))?.form,
  )
  const source = project.program.getSourceFile(path.join(root, 'domain/aggregates.ts'))
  const aggregates = source && checker.resolveName('aggregates', SymbolFlags.Value, source)
  if (!aggregates) throw new Error('domain/aggregates.ts declares no aggregates')
  const events = membersOf(checker, checker.getTypeOfSymbol(aggregates), (aggregate) =>
    membersOf(checker, memberOf(checker, aggregate, 'events'), (definition, description) =>
      versionsOf(checker, schemas, definition, description),
    ),
  )
  const metadata = schemas.ofMembers(declared('adapters/event-store/stored-metadata.ts', 'StoredMetadata'))
  return { events, metadata, definitions: schemas.definitions }
}

/** The newest version is described where the event is declared, or else by its data. */
function versionsOf(
  checker: Checker,
  schemas: SchemasOfTypes,
  definition: Type,
  declared: { readonly description?: string },
): TypesOfEvent {
  const data = memberOf(checker, definition, 'data')
  const older = memberOf(checker, definition, 'older')
  if (!older.isTypeReference() || !checker.isTupleType(older))
    throw new Error('an event does not list its older versions')
  const versions = [...checker.getTypeArguments(older), data].map((version) => schemas.ofMembers(version))
  return { ...described(checker, data.getAliasSymbol() ?? data.getSymbol()), ...declared, versions }
}

function membersOf<Result>(
  checker: Checker,
  type: Type | undefined,
  read: (member: Type, description: { readonly description?: string }) => Result,
): Readonly<Record<string, Result>> {
  const members = type ? checker.getPropertiesOfType(type) : []
  return Object.fromEntries(
    members.map((member) => [member.name, read(typeOf(checker, member), described(checker, member))]),
  )
}

function memberOf(checker: Checker, type: Type, name: string): Type {
  const member = checker.getPropertyOfType(type, name)
  if (!member) throw new Error(`${checker.typeToString(type)} has no ${name}`)
  return typeOf(checker, member)
}

function typeOf(checker: Checker, member: Symbol): Type {
  const type = checker.getTypeOfSymbol(member)
  const given = type && checker.getNonNullableType(type)
  if (!given) throw new Error(`the member ${member.name} has no type`)
  return given
}
