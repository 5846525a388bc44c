import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import { useTranslate } from 'react-admin'
import { useSearchParams } from 'react-router-dom'

/** A filter that stands in the page's address; empty where nothing is chosen. */
export function useAddressFilter(name: string): readonly [string, (value: string) => void] {
  const [search, setSearch] = useSearchParams()
  const choose = (value: string): void =>
    setSearch(
      (now) => {
        if (value === '') now.delete(name)
        else now.set(name, value)
        return now
      },
      { replace: true },
    )
  return [search.get(name) ?? '', choose]
}

interface Props {
  /** Its name in the page's address. */
  readonly name: string
  readonly label: string
  readonly help?: string
}

/** One of several values, or any. `of` gives each its text. */
export function ChoiceFilter({
  name,
  label,
  choices,
  of,
}: Props & { readonly choices: readonly string[]; readonly of: (choice: string) => string }) {
  const translate = useTranslate()
  const [value, choose] = useAddressFilter(name)
  return (
    <TextField
      select
      size="small"
      label={label}
      value={choices.includes(value) ? value : ''}
      onChange={({ target }) => choose(target.value)}
      sx={{ minWidth: '12rem', marginBlock: 1 }}
    >
      <MenuItem value="">{translate('console.say.any')}</MenuItem>
      {choices.map((one) => (
        <MenuItem key={one} value={one}>
          {of(one)}
        </MenuItem>
      ))}
    </TextField>
  )
}

/** A text, which holds once it was entered. */
export function TextFilter({ name, label, help }: Props) {
  const [value, choose] = useAddressFilter(name)
  return (
    <TextField
      size="small"
      label={label}
      helperText={help}
      defaultValue={value}
      onBlur={({ target }) => choose(target.value.trim())}
      onKeyDown={({ key, target }) => key === 'Enter' && choose((target as HTMLInputElement).value.trim())}
      sx={{ marginBlock: 1 }}
    />
  )
}
