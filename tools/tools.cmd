@echo off
rem Finds a JDK and runs the tools program (Java, tools\src) with it; source launch, since Windows has no checksum tool.
setlocal enabledelayedexpansion
set "required=25"
set "jdk="

call :consider "%UZU_JAVA_HOME%"
call :consider "%JAVA_HOME%"
for /f "delims=" %%j in ('where java 2^>nul') do call :consider "%%~dpj.."
for %%p in (
    "%ProgramFiles%\Eclipse Adoptium"
    "%ProgramFiles%\Java"
    "%ProgramFiles%\Microsoft"
    "%ProgramFiles%\Zulu"
    "%ProgramFiles%\Amazon Corretto"
    "%LOCALAPPDATA%\Programs\Eclipse Adoptium"
    "%USERPROFILE%\.jdks"
    "%USERPROFILE%\scoop\apps"
) do if exist "%%~p" for /d %%j in ("%%~p\*") do call :consider "%%~j"

if not defined jdk (
    echo tools: no JDK %required% or newer found: install one ^(for example Eclipse Temurin %required%^) or set JAVA_HOME 1>&2
    exit /b 1
)
"%jdk%\bin\java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 "%~dp0src\uzu\tools\Main.java" "%~dp0.." %*
exit /b %errorlevel%

rem Sets jdk to a home that has javac and is new enough, unless one is set already.
:consider
if defined jdk exit /b 0
if "%~1"=="" exit /b 0
if not exist "%~1\bin\javac.exe" exit /b 0
if not exist "%~1\release" exit /b 0
for /f "usebackq tokens=2 delims==" %%v in (`findstr /b "JAVA_VERSION=" "%~1\release"`) do (
    for /f "tokens=1 delims=.-+" %%m in ("%%~v") do if %%m geq %required% set "jdk=%~f1"
)
exit /b 0
