"""The playground in a browser: chromium, through its driver.

    browser.py PAGE BYTES FARSIDE [--pictures FOLDER]

PAGE is the built page, which is opened from the disk; BYTES its size compressed; FARSIDE the command, whose answers to
the whole litmus library and all programs are compared with those of the page. `scripts/playground --test` calls it.
With --pictures, screenshots of the panels at three widths and colours go to FOLDER.

Promise: each check fails where what it names does not hold. How long the first answer took is printed and not judged.
"""
import json
import pathlib
import subprocess
import sys
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MOST_BYTES = 2_000_000
PATIENCE = 30
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
TABS = ["litmus", "robust", "model", "cycle"]
TAB_PLACES = """
    return [...document.querySelectorAll("[role=tab]")].map((tab) => `${tab.offsetLeft} ${tab.offsetTop}`);
"""
# It has far more executions than anyone waits for.
RUNAWAY = """RMA runaway
{ 0: X = 0; 1: Y = 0; 2: Z = 0; 3: W = 0; }
 P0           | P1           | P2           | P3           ;
 put(Y@1, X)  | put(Z@2, Y)  | put(W@3, Z)  | put(X@0, W)  ;
 X = get(Z@2) | Y = get(W@3) | Z = get(X@0) | W = get(Y@1) ;
 X = 1        | Y = 2        | Z = 3        | W = 4        ;
 put(W@3, X)  | put(X@0, Y)  | put(Y@1, Z)  | put(Z@2, W)  ;
 X = get(Y@1) | Y = get(X@0) | Z = get(W@3) | W = get(Z@2) ;
 X = 5        | Y = 6        | Z = 7        | W = 8        ;
 a = X        | b = Y        | c = Z        | d = W        ;
 e = X        | f = Y        | g = Z        | h = W        ;
"""
TEST = """RMA typed
{ 0: X = 0; 1: Y = 1; }
 P0    | P1          ;
 a = X | put(X@0, Y) ;
~exists (0:a = 1)
"""
OWN = 'model "mine" "no routing"\ninclude "coreRMA"\nwithout IR\n'
PROGRAM = """program mine
ranks 2
domain 2
shared x = 1, y
queue q
write(x, (me + 1) % n, y, q)
barrier
assert y == 1
"""


class Page:
    """The page in a browser of its own."""

    def __init__(self, address):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,900"]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.driver.set_script_timeout(300)
        self.address = address
        self.open()

    def open(self, fragment=""):
        """Opens the page anew, as a link does, and waits for its answer."""
        self.driver.get("about:blank")
        self.driver.get(self.address + fragment)
        self.until("the first answer", lambda: self.run("return performance.getEntriesByName('answered').length > 0"))

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def find(self, name):
        return self.driver.find_element(By.ID, name)

    def text(self, name):
        return self.find(name).text

    def until(self, what, condition):
        WebDriverWait(self.driver, PATIENCE, 0.02).until(lambda _: condition(), f"no {what} within {PATIENCE} s")

    def type(self, name, text):
        """Types over what is there, as a user does."""
        place = self.find(name)
        place.send_keys(Keys.CONTROL + "a")
        place.send_keys(text)

    def judge(self, text):
        """Types a litmus test, and waits until all of it is answered."""
        self.type("litmus-editor-text", text)
        self.until("answer to the test", lambda: self.count("[data-asking]") == 0)

    def outcomes(self):
        """Each outcome that is shown, with its mark."""
        buttons = "[...document.querySelectorAll('#litmus-outcomes button')]"
        return self.run(f"return Object.fromEntries({buttons}.map((one) => [one.dataset.state, one.className]))")

    def count(self, selector):
        return self.run("return document.querySelectorAll(arguments[0]).length", selector)

    def focused(self):
        return self.driver.switch_to.active_element

    def ask(self, questions):
        """What the engines of the page answer."""
        script = """
            const [questions, done] = arguments;
            Promise.all(questions.map((question) => farside.ask(question)))
              .then((answers) => done(answers.map(({ answer }) => answer)), (error) => done(String(error)));
        """
        return self.driver.execute_async_script(script, questions)


def first_answer(page):
    seconds = page.run("return performance.getEntriesByName('answered')[0].startTime")
    print(f"  the first answer {seconds:.0f} ms after the page was asked for, this machine's load and all")


def typing(page):
    page.type("litmus-editor-text", TEST)
    page.until("outcomes", lambda: page.outcomes() == {"0:a=0;": "allowed", "0:a=1;": "wrong"})
    assert page.text("litmus-verdict").startswith("No: Sometimes"), page.text("litmus-verdict")
    assert page.count("#litmus-picture svg") == 1, "the execution is drawn"
    page.type("litmus-editor-text", TEST.replace("put(X", "put(Q"))
    page.until("mistake", lambda: "line 4, column 14" in page.text("litmus-editor"))
    assert page.outcomes() == {}, "nothing is shown of a test with mistakes"
    assert page.run("return document.querySelector('#litmus-editor mark').textContent") == "Q"


def stopping(page):
    page.type("litmus-editor-text", RUNAWAY)
    page.until("running", lambda: page.find("stop").is_enabled() and page.text("status").startswith("running"))
    time.sleep(1)
    assert page.find("stop").is_enabled(), "the test was to run for long"
    page.find("stop").click()
    page.until("stop", lambda: page.text("status").startswith("stopped"))
    assert not page.find("stop").is_enabled()
    page.type("litmus-editor-text", TEST)
    page.until("answer after a stop", lambda: len(page.outcomes()) == 2)


def typing_on(page):
    page.type("litmus-editor-text", RUNAWAY)
    page.until("running", lambda: page.text("status").startswith("running"))
    page.type("litmus-editor-text", TEST)
    page.until("answer after typing on", lambda: len(page.outcomes()) == 2)


def executions(page):
    page.judge(TEST)
    for state in ["0:a=1;", "0:a=0;"]:
        button = page.driver.find_element(By.CSS_SELECTOR, f"#litmus-outcomes [data-state='{state}']")
        button.click()
        page.until("picture", lambda: f"{state} allowed" in page.text("litmus-picture"))
        assert button.get_attribute("aria-pressed") == "true"
    actions = page.count("#litmus-picture [data-action]")
    page.driver.find_element(By.CSS_SELECTOR, "[aria-label='To the begin']").click()
    for number in range(actions + 1):
        later = page.count("#litmus-picture [data-action].later")
        assert later == actions - number, f"step {number} of {actions} leaves {later} out"
        page.driver.find_element(By.CSS_SELECTOR, "[aria-label='One step on']").click()
    assert page.count("#litmus-picture .later") == 0


def all_models(page):
    page.run("document.getElementById('litmus-models').open = true")
    text = (ROOT / "litmus-tests" / "papers" / "Fig6.litmus").read_text()
    page.judge(text)
    models = page.count("#litmus-model option") - 1
    assert models > 15, models
    assert page.count("#litmus-matrix tbody tr") == models
    assert page.text("litmus-matrix").count("Ok Sometimes 4") >= 2, page.text("litmus-matrix")
    rows = page.driver.find_elements(By.CSS_SELECTOR, "#litmus-matrix tbody tr")
    [chosen] = [row for row in rows if row.text.startswith("verbs-paper")]
    chosen.find_element(By.TAG_NAME, "button").click()
    page.until("model of the row", lambda: "under verbs-paper" in page.text("litmus-verdict"))
    page.run("document.getElementById('litmus-models').open = false")


def own_model(page):
    page.find("tab-model").click()
    page.type("model-editor-text", OWN.replace("IR", "XR"))
    page.until("mistake of the model", lambda: "line 3" in page.text("model-editor"))
    page.type("model-editor-text", OWN)
    page.until("model", lambda: page.find("model-use").is_enabled())
    page.find("model-use").click()
    page.until("judgement by it", lambda: "under mine" in page.text("litmus-verdict") and len(page.outcomes()) == 4)


def links(page):
    page.until("address", lambda: "#z" in page.driver.current_url)
    time.sleep(1)
    link, outcomes = page.driver.current_url, page.outcomes()
    page.open(link[link.index("#"):])
    page.until("the same model", lambda: "under mine" in page.text("litmus-verdict"))
    assert page.outcomes() == outcomes, "a link shows what it was taken from"
    text = (ROOT / "litmus-tests" / "papers" / "Fig6.litmus").read_text()
    assert page.find("litmus-editor-text").get_attribute("value") == text
    for damaged in [link[link.index("#"):-20], "#zzzz", "#unonsense", "#"]:
        page.open(damaged)
        assert len(page.outcomes()) > 0, f"{damaged}: the page starts"
    # A link that is followed while the page is open.
    page.judge(TEST)
    page.run("location.hash = arguments[0]", link[link.index("#"):])
    page.until("what the link shows", lambda: page.outcomes() == outcomes)
    page.open("#zAAAA")
    assert page.find("litmus-editor-text").get_attribute("value").startswith("RMA Fig1")


def robust(page):
    page.find("tab-robust").click()
    page.type("robust-editor-text", PROGRAM)
    page.until("answer", lambda: page.text("robust-verdict") == "not robust")
    page.until("the cycle", lambda: "The cycle" in page.text("robust-answer"))
    assert "insert `wait q`" in page.text("robust-answer"), page.text("robust-answer")
    assert page.count("#robust-answer svg .event") > 0
    page.find("robust-take").click()
    page.until("robust program", lambda: page.text("robust-verdict") == "robust")
    assert "wait q // inserted" in page.find("robust-editor-text").get_attribute("value")


def cycles(page):
    page.find("tab-cycle").click()
    examples = page.run("return [...document.querySelectorAll('#cycle-example option')].map((one) => one.value)")
    answers = page.ask([{"ask": "cycle", "edges": edges} for edges in examples if edges])
    assert len(answers) > 3 and all(answer["kind"] == "cycle" for answer in answers), answers
    page.type("cycle-edges", "PodPP Rfe PodXX")
    page.until("mistake", lambda: page.text("cycle-verdict") != "" and not page.find("cycle-use").is_enabled())
    page.type("cycle-edges", "PodPP Rfe PodRR Fre")
    page.until("test", lambda: page.find("cycle-use").is_enabled())
    page.find("cycle-use").click()
    page.until("its outcomes", lambda: len(page.outcomes()) > 0)
    assert page.find("litmus-editor-text").get_attribute("value").startswith("RMA PodPP+Rfe+PodRR+Fre")


def keyboard(page):
    """Without a pointer, from the top of the page to the steps of an execution."""
    page.open()
    seen = []

    def press(*keys):
        ActionChains(page.driver).send_keys(*keys).perform()

    def tab_to(name, most=40):
        for _ in range(most):
            press(Keys.TAB)
            element = page.focused()
            seen.append(element.get_attribute("id") or element.get_attribute("aria-label") or element.text)
            if name in [element.get_attribute(one) for one in ["id", "data-state", "aria-label"]]:
                return
        raise AssertionError(f"Tab does not come to {name}; it came to {seen}")

    tab_to("tour-next")
    press(Keys.ENTER)
    page.until("second stop", lambda: "2 of" in page.text("tour-place"))
    assert page.focused().get_attribute("id") == "tour-title", "the new stop is read"
    tab_to("tab-litmus")
    press(Keys.ARROW_RIGHT)
    page.until("next panel", lambda: page.find("panel-robust").is_displayed())
    press(Keys.HOME)
    page.until("first panel", lambda: page.find("panel-litmus").is_displayed())
    tab_to("litmus-editor-text")
    ActionChains(page.driver).key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL).perform()
    press(TEST)
    page.until("outcomes", lambda: page.outcomes() == {"0:a=0;": "allowed", "0:a=1;": "wrong"})
    page.until("answer", lambda: page.count("[data-asking]") == 0)
    tab_to("0:a=0;", 5)
    press(Keys.ENTER)
    page.until("picture", lambda: "0:a=0; allowed" in page.text("litmus-picture"))
    tab_to("To the begin", 5)
    press(Keys.ENTER, Keys.ARROW_RIGHT)
    page.until("step", lambda: "1 of " in page.text("litmus-picture"))


def screen_reader(page):
    """Everything that can be acted on has a name; each panel's parts have their roles."""
    acted_on = {"button", "textbox", "combobox", "checkbox", "spinbutton", "tab", "link", "listbox"}
    for tab in TABS:
        page.find(f"tab-{tab}").click()
        nodes = page.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        shown = [node for node in nodes if not node["ignored"]]
        value = lambda node, key: node.get(key, {}).get("value", "")
        parts = [(value(node, "role"), value(node, "name")) for node in shown]
        nameless = [role for role, name in parts if role in acted_on and not name]
        assert not nameless, f"{tab}: without a name: {nameless}"
        for part in [("main", ""), ("tablist", "What to ask"), ("heading", "Playground")]:
            assert part in parts, f"{tab}: no {part}"
    page.find("tab-litmus").click()


def phone(page, pictures):
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    page.run("document.getElementById('litmus-models').open = true")
    places = set()
    for tab in TABS:
        page.find(f"tab-{tab}").click()
        time.sleep(0.5)
        places.add(tuple(page.run(TAB_PLACES)))
        wide = page.run("return document.documentElement.scrollWidth")
        assert wide <= PHONE["width"], f"{tab}: {wide} wide"
        # Tables and pictures scroll in themselves, panels do not.
        more = "const panel = document.getElementById(arguments[0]); return panel.scrollWidth - panel.clientWidth"
        assert page.run(more, f"panel-{tab}") <= 0, f"{tab}: the panel scrolls sideways"
        picture(page, pictures, f"phone-{tab}")
    assert len(places) == 1, f"tabs move when one is chosen: {places}"
    page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def picture(page, pictures, name):
    if pictures:
        page.run("window.scrollTo(0, 0)")
        page.driver.save_screenshot(str(pictures / f"{name}.png"))


def colours(page, pictures):
    """The page follows what the system prefers."""
    grounds = set()
    for colour in ["light", "dark"]:
        features = [{"name": "prefers-color-scheme", "value": colour}]
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        grounds.add(page.run("return getComputedStyle(document.body).backgroundColor"))
        for tab in TABS:
            page.find(f"tab-{tab}").click()
            time.sleep(0.3)
            picture(page, pictures, f"{colour}-{tab}")
    assert len(grounds) == 2, grounds
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def timeless(report):
    """A report without times."""
    if isinstance(report, dict):
        return {key: timeless(value) for key, value in report.items() if key != "seconds"}
    return [timeless(value) for value in report] if isinstance(report, list) else report


def libraries(page, farside):
    """The engines of the page say what those of the command say, of both libraries."""
    for kind, folder, ending, options in [
        ("litmus", "litmus-tests", "litmus", ["--explain"]),
        ("robust", "robust-tests", "pgas", ["--repair"]),
    ]:
        paths = sorted(str(path.relative_to(ROOT)) for path in (ROOT / folder).rglob(f"*.{ending}"))
        command = [farside, kind, "--format", "json", *options, *paths]
        told = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout)
        asked = [{"ask": kind, "file": path, "text": (ROOT / path).read_text()} for path in paths]
        more = {"litmus": {"explain": "condition"}, "robust": {"repair": True}}[kind]
        answers = page.ask([{**question, **more} for question in asked])
        assert isinstance(answers, list), answers
        part = {"litmus": "tests", "robust": "programs"}[kind]
        assert len(told[part]) == len(paths) > 100, f"{len(told[part])} of {len(paths)}"
        for path, answer, expected in zip(paths, answers, told[part]):
            assert answer["kind"] == kind, f"{path}: {answer}"
            [found] = answer["of"]["report"][part]
            assert timeless(found) == timeless(expected), f"{path}: the page and the command differ"
        print(f"  {len(paths)} of {folder}: the page answers as the command does")


def main():
    address, size, farside, *more = sys.argv[1:]
    pictures = pathlib.Path(more[1]) if more[:1] == ["--pictures"] else None
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
    assert int(size) < MOST_BYTES, f"the page has {size} bytes compressed, more than {MOST_BYTES}"
    page = Page(pathlib.Path(address).resolve().as_uri())
    try:
        checks = [first_answer, typing, stopping, typing_on, executions, all_models, own_model, links, robust, cycles]
        for check in [*checks, keyboard, screen_reader]:
            check(page)
            print(f"  {check.__name__.replace('_', ' ')}: ok")
        phone(page, pictures)
        colours(page, pictures)
        print("  phone width, light and dark: ok")
        libraries(page, farside)
        loaded = page.run("return performance.getEntriesByType('resource').map((entry) => entry.name)")
        assert all(name.startswith("blob:") for name in loaded), f"the page loads {loaded}"
        errors = [entry["message"] for entry in page.driver.get_log("browser") if entry["level"] == "SEVERE"]
        assert not errors, f"the browser complains: {errors}"
    finally:
        page.driver.quit()
    print("playground: all checks passed")


main()
