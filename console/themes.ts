import { nanoDarkTheme, nanoLightTheme, type RaThemeOptions } from 'react-admin'

export const darkTheme = nanoDarkTheme

/** With colours for warnings and errors that stand out from white by 4.5 to 1. */
export const lightTheme: RaThemeOptions = {
  ...nanoLightTheme,
  palette: { ...nanoLightTheme.palette, error: { main: '#b3261e' }, warning: { main: '#8a5300' } },
}
