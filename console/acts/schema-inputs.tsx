import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import {
  ArrayInput,
  AutocompleteArrayInput,
  BooleanInput,
  NumberInput,
  ResourceContextProvider,
  SelectInput,
  SimpleFormIterator,
  TextArrayInput,
  TextInput,
  maxLength,
  maxValue,
  minLength,
  minValue,
  regex,
  required,
  useTranslate,
  type Validator,
} from 'react-admin'
import { MomentInput } from '../parts/moment-input.tsx'
import { isRequired, kindOf, withoutNull, type Schema } from './schema.ts'

/** The members of an object's schema as a form. `prefix` is the way to the object from the form's beginning. */
export function SchemaInputs({
  schema,
  prefix = '',
  without = [],
}: {
  readonly schema: Schema
  readonly prefix?: string
  readonly without?: readonly string[]
}) {
  const members = Object.entries(schema.properties ?? {}).filter(([name]) => !without.includes(name))
  return (
    <>
      {members.map(([name, member]) => (
        <MemberInput
          key={name}
          name={name}
          source={`${prefix}${name}`}
          given={member}
          isNeeded={isRequired(schema, name)}
        />
      ))}
    </>
  )
}

interface Member {
  readonly name: string
  readonly source: string
  readonly given: Schema
  readonly isNeeded: boolean
}

function MemberInput({ name, source, given, isNeeded }: Member): ReactNode {
  const translate = useTranslate()
  const { schema, isNullable } = withoutNull(given)
  const label = translate(`console.members.${name}`, { _: name.replaceAll('_', ' ') })
  const shared = {
    source,
    label,
    helperText: given.description ?? schema.description ?? false,
    validate: [...(isNeeded && !isNullable ? [required()] : []), ...boundsOf(schema)],
    fullWidth: true,
  }
  switch (kindOf(schema)) {
    case 'boolean':
      return isNullable || !isNeeded ? (
        <SelectInput {...shared} choices={truths(translate)} parse={truthOf} format={(value) => String(value ?? '')} />
      ) : (
        <BooleanInput {...shared} />
      )
    case 'number':
      return <NumberInput {...shared} />
    case 'choice':
      return <SelectInput {...shared} choices={choicesOf(schema)} />
    case 'choices':
      return <AutocompleteArrayInput {...shared} choices={choicesOf(withoutNull(schema.items ?? {}).schema)} />
    case 'texts':
      return <TextArrayInput {...shared} />
    case 'time':
      return <MomentInput {...shared} />
    case 'object':
      return (
        <Box
          component="fieldset"
          sx={{ border: 1, borderColor: 'divider', borderRadius: 1, marginBlock: 1, width: '100%' }}
        >
          <Typography component="legend" variant="subtitle2">
            {label}
          </Typography>
          <SchemaInputs schema={schema} prefix={`${source}.`} />
        </Box>
      )
    case 'objects':
      return (
        // It asks whose record it is in, and an act is in none.
        <ResourceContextProvider value="acts">
          <ArrayInput {...shared}>
            <SimpleFormIterator fullWidth>
              <SchemaInputs schema={withoutNull(schema.items ?? {}).schema} />
            </SimpleFormIterator>
          </ArrayInput>
        </ResourceContextProvider>
      )
    case 'json':
      return <TextInput {...shared} multiline parse={jsonIn} format={textOf} validate={[isJson]} />
    case 'long text':
      return <TextInput {...shared} multiline />
    case 'text':
      return <TextInput {...shared} />
  }
}

function choicesOf(schema: Schema): { id: string | number; name: string }[] {
  return (schema.enum ?? []).map((value) => ({ id: value, name: String(value) }))
}

function truths(translate: (key: string) => string) {
  return [
    { id: 'true', name: translate('ra.boolean.true') },
    { id: 'false', name: translate('ra.boolean.false') },
  ]
}

function truthOf(text: string): boolean | null {
  return text === '' ? null : text === 'true'
}

function boundsOf(schema: Schema): Validator[] {
  const { minimum, maximum, minLength: shortest, maxLength: longest, pattern, format } = schema
  return [
    ...(minimum === undefined ? [] : [minValue(minimum)]),
    ...(maximum === undefined ? [] : [maxValue(maximum)]),
    ...(shortest === undefined || shortest === 0 ? [] : [minLength(shortest)]),
    ...(longest === undefined ? [] : [maxLength(longest)]),
    ...(pattern === undefined || format === 'date-time' ? [] : [regex(new RegExp(pattern, 'u'))]),
  ]
}

/** What cannot be read stays a text, which is then refused. */
function jsonIn(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

function isJson(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? 'console.acts.no_json' : undefined
}
