import { theme as antd, type ThemeConfig } from 'antd';
import { densities, palettes, radius, type Density, type Theme } from './palette';

/**
 * Whoever wants less motion gets none: antd waits for the end of a transition, which one of no length does
 * not always tell, and a button would stay as it was while loading. Read once: turning motion off mounts the
 * whole page anew.
 */
const still = matchMedia('(prefers-reduced-motion: reduce)').matches;

/**
 * antd's tokens from our palette. Where antd would derive a colour from a seed, ours are set by hand: its own
 * miss AA.
 */
export function antdTheme(theme: Theme, density: Density): ThemeConfig {
  const c = palettes[theme];
  const d = densities[density];
  const dark = theme === 'dark';
  return {
    algorithm: dark ? antd.darkAlgorithm : antd.defaultAlgorithm,
    hashed: false,
    token: {
      motion: !still,
      fontFamily: "'Inter Variable', system-ui, sans-serif",
      fontSize: d.font,
      fontWeightStrong: 600,
      controlHeight: d.control,
      controlHeightSM: d['control-sm'],
      controlHeightLG: d['control-lg'],
      borderRadius: radius.base,
      borderRadiusLG: radius.large,
      borderRadiusSM: 8,
      wireframe: false,
      colorPrimary: c.primary,
      colorPrimaryHover: c['primary-hover'],
      colorPrimaryActive: c['primary-hover'],
      colorPrimaryBg: c['primary-soft'],
      colorPrimaryBgHover: c['primary-soft'],
      colorPrimaryText: c['primary-text'],
      colorLink: c['primary-text'],
      colorLinkHover: c['primary-hover'],
      colorTextLightSolid: c['on-primary'],
      colorBgLayout: c.bg,
      colorBgContainer: c.surface,
      colorBgElevated: dark ? c['surface-2'] : c.surface,
      colorText: c.text,
      colorTextBase: c.text,
      colorTextHeading: c.text,
      colorTextSecondary: c['text-2'],
      colorTextTertiary: c['text-2'],
      colorTextDescription: c['text-2'],
      colorTextPlaceholder: c.placeholder,
      colorTextDisabled: c['text-2'],
      colorIcon: c['text-2'],
      colorBorder: c['line-strong'],
      colorBorderSecondary: c.line,
      colorSplit: c.line,
      colorFillAlter: c['surface-2'],
      colorSuccess: c.success,
      colorSuccessBg: c['success-bg'],
      colorWarning: c.warning,
      colorWarningBg: c['warning-bg'],
      colorError: c.error,
      colorErrorHover: c['error-hover'],
      colorErrorActive: c['error-hover'],
      colorErrorBg: c['error-bg'],
      colorErrorText: c.error,
      colorInfo: c.info,
      colorInfoBg: c['info-bg'],
    },
    components: components(theme, density),
  };
}

/** Where a component's own tokens differ from the general ones. */
function components(theme: Theme, density: Density): NonNullable<ThemeConfig['components']> {
  const c = palettes[theme];
  const d = densities[density];
  const dark = theme === 'dark';
  // Three to one beside the surface: it alone shows an empty box.
  const edge = dark ? '#6B7771' : '#8A938D';
  return {
    Button: {
      algorithm: false,
      colorPrimary: c.primary,
      colorPrimaryHover: c['primary-hover'],
      colorPrimaryActive: c['primary-hover'],
      fontWeight: 600,
      primaryShadow: 'none',
      defaultShadow: 'none',
      dangerShadow: 'none',
      dangerColor: dark ? '#08130F' : '#FFFFFF',
    },
    // A small box with larger corners looks like a radio button.
    Checkbox: { borderRadiusSM: 4, colorBorder: edge },
    Radio: { colorBorder: edge },
    Table: {
      headerBg: c['surface-2'],
      headerColor: c['text-2'],
      rowHoverBg: c.hover,
      cellPaddingBlock: d.row,
      headerSplitColor: 'transparent',
      borderColor: c.line,
    },
    Tooltip: { colorBgSpotlight: dark ? '#37423C' : '#1D2521', colorTextLightSolid: '#FFFFFF' },
    Select: { optionSelectedBg: c['primary-soft'], optionSelectedColor: c.text, optionActiveBg: c.hover },
    Form: { labelColor: c.text, verticalLabelPadding: '0 0 6px', itemMarginBottom: 20 },
    Drawer: { paddingLG: 24 },
    Switch: {
      algorithm: false,
      colorPrimary: c.primary,
      colorPrimaryHover: c['primary-hover'],
      trackHeight: 26,
      trackMinWidth: 48,
      handleSize: 22,
      colorTextQuaternary: dark ? '#5A6660' : '#8A938D',
      colorTextTertiary: dark ? '#6B7771' : '#737C76',
    },
    Notification: { fontSizeLG: d.font },
  };
}
